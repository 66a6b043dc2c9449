// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import java.util.Arrays;

/** A row of a table. Ordered by table, then row, byte by byte without signs. Immutable. */
record RowKey(long tableId, byte[] row) implements Comparable<RowKey> {
  private static final byte[] FIRST = {};

  /** Returns the key of the first row of a table. */
  static RowKey firstOf(long tableId) {
    return new RowKey(tableId, FIRST);
  }

  @Override
  public int compareTo(RowKey other) {
    int order = Long.compare(tableId, other.tableId);
    return order != 0 ? order : Arrays.compareUnsigned(row, other.row);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowKey that && compareTo(that) == 0;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(tableId) + Arrays.hashCode(row);
  }
}
