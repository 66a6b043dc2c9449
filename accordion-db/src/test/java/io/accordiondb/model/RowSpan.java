// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import org.jspecify.annotations.Nullable;

/**
 * Rows of a table.
 *
 * @param first the first row, or an empty text for the beginning of the table
 * @param end the row before which they end; null for the end of the table
 */
record RowSpan(String table, String first, @Nullable String end) {
  static RowSpan ofRow(String table, String row) {
    return new RowSpan(table, row, after(row));
  }

  /** Returns all rows of a table. */
  static RowSpan all(String table) {
    return new RowSpan(table, "", null);
  }

  /** Returns the row that follows another one directly. */
  static String after(String row) {
    return row + '\0';
  }

  /** Returns whether a row may belong to both. */
  boolean meets(RowSpan other) {
    return table.equals(other.table)
        && (end == null || other.first.compareTo(end) < 0)
        && (other.end == null || first.compareTo(other.end) < 0);
  }
}
