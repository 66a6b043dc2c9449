// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import java.util.List;

/**
 * A table. Immutable.
 *
 * @param tableId identity, which never changes
 * @param name name of the table
 * @param families its families
 */
public record TableRecord(long tableId, String name, List<FamilyRecord> families) {}
