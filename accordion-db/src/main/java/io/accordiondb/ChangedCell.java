// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * A cell that was written.
 *
 * @param table the name of the table; if the table no longer exists, the last name it had
 * @param cell a value or a delete marker, as {@link Cell#type} says
 */
public record ChangedCell(String table, Cell cell) {}
