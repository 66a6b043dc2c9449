// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import java.util.Map;

/**
 * A column family. Immutable.
 *
 * @param familyId identity within the table, which never changes; a family that is dropped and
 *     created again has a new one
 * @param name name of the family
 * @param attributes its configuration: values by attribute name
 */
public record FamilyRecord(int familyId, String name, Map<String, String> attributes) {}
