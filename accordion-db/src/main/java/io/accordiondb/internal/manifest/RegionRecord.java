// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import java.util.Arrays;

/**
 * A range of rows of a table. Immutable.
 *
 * @param regionId identity for ever
 * @param tableId the table
 * @param startKey first row; empty when the range begins before all rows
 * @param endKey row at which the range ends, exclusive; empty when it ends behind all rows
 */
public record RegionRecord(long regionId, long tableId, byte[] startKey, byte[] endKey) {
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
}
