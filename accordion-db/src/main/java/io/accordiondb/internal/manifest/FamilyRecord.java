// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import java.util.Map;

/**
 * A column family. Immutable.
 *
 * @param familyId identity within the table, which never changes; a family that is dropped and
 *     created again has another
 * @param name what the family is called
 * @param attributes how it is configured, by name
 */
public record FamilyRecord(int familyId, String name, Map<String, String> attributes) {}
