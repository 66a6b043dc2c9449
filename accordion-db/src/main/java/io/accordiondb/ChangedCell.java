// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * A cell that was written.
 *
 * @param table the name of the table; if the table no longer exists, the last name it had
 * @param cell a value, an operand ({@code MERGE}), a delete marker, or a deleted range ({@code
 *     DELETE_RANGE}), as {@link Cell#type} says. A range goes from the row up to the row that is
 *     the value, exclusive, or to the end if that is empty; there is one for each region and family
 */
public record ChangedCell(String table, Cell cell) {}
