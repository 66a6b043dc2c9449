// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A range of rows of a table. Immutable; the arrays must not be changed.
 *
 * @param regionId identity, which never changes
 * @param tableId identity of its table
 * @param startKey first row; empty when the range begins before all rows
 * @param endKey row at which the range ends, exclusive; empty when it ends behind all rows
 */
public record RegionRecord(long regionId, long tableId, byte[] startKey, byte[] endKey) {
  private static final int SHOWN_BYTES_MAX = 32;

  @Override
  public boolean equals(Object other) {
    return other instanceof RegionRecord that
        && regionId == that.regionId
        && tableId == that.tableId
        && Arrays.equals(startKey, that.startKey)
        && Arrays.equals(endKey, that.endKey);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(regionId);
  }

  /** Returns the identities and the beginnings of the keys, in hexadecimal. */
  @Override
  public String toString() {
    return "region "
        + regionId
        + " of table "
        + tableId
        + " ["
        + hex(startKey)
        + ", "
        + hex(endKey)
        + ")";
  }

  private static String hex(byte[] key) {
    int shown = Math.min(key.length, SHOWN_BYTES_MAX);
    return HexFormat.of().formatHex(key, 0, shown) + (shown < key.length ? "..." : "");
  }
}
