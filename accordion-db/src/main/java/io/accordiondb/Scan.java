// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Asks for a range of rows. Not thread-safe. Without bounds it asks for all rows. */
public final class Scan extends Query<Scan> {
  private static final byte[] OPEN = {};

  private byte[] startRow = OPEN;
  private boolean startInclusive = true;
  private byte[] stopRow = OPEN;
  private boolean stopInclusive;
  private byte @Nullable [] rowPrefix;
  private boolean reversed;
  private long limit = Long.MAX_VALUE;
  private int batch = Integer.MAX_VALUE;

  /** Begins at a row; empty for the first, or the last when reversed. */
  public Scan setStartRow(byte[] row) {
    return setStartRow(row, Bound.INCLUSIVE);
  }

  /** Begins at a row, or behind it. */
  public Scan setStartRow(byte[] row, Bound bound) {
    startRow = Objects.requireNonNull(row, "row");
    startInclusive = Objects.requireNonNull(bound, "bound") == Bound.INCLUSIVE;
    return this;
  }

  /** Ends before a row; empty for the end. */
  public Scan setStopRow(byte[] row) {
    return setStopRow(row, Bound.EXCLUSIVE);
  }

  /** Ends before a row, or with it. */
  public Scan setStopRow(byte[] row, Bound bound) {
    stopRow = Objects.requireNonNull(row, "row");
    stopInclusive = Objects.requireNonNull(bound, "bound") == Bound.INCLUSIVE;
    return this;
  }

  /** Asks for the rows that begin with a prefix, instead of those between two rows. */
  public Scan setRowPrefix(byte[] prefix) {
    rowPrefix = Objects.requireNonNull(prefix, "prefix");
    return this;
  }

  /** Reads downwards: from the start row, which is then the higher one, to the stop row. */
  public Scan setReversed(boolean reversed) {
    this.reversed = reversed;
    return this;
  }

  /** Ends after so many rows, at least 0. */
  public Scan setLimit(long rows) {
    if (rows < 0) {
      throw new IllegalArgumentException("limit is " + rows + " rows, expected 0 or more");
    }
    limit = rows;
    return this;
  }

  /** Splits rows with more cells over several results of at most so many cells, at least 1. */
  public Scan setBatch(int cells) {
    if (cells < 1) {
      throw new IllegalArgumentException("batch is " + cells + " cells, expected 1 or more");
    }
    batch = cells;
    return this;
  }

  /** Returns the row at which to begin; empty for the end of the table to begin at. */
  public byte[] startRow() {
    if (rowPrefix == null) {
      return startRow;
    }
    return reversed ? firstBehindPrefix(rowPrefix) : rowPrefix;
  }

  /** Returns whether the start row belongs to the range. */
  public boolean startInclusive() {
    return rowPrefix == null ? startInclusive : !reversed;
  }

  /** Returns the row at which to end; empty for the end of the table. */
  public byte[] stopRow() {
    if (rowPrefix == null) {
      return stopRow;
    }
    return reversed ? rowPrefix : firstBehindPrefix(rowPrefix);
  }

  /** Returns whether the stop row belongs to the range. */
  public boolean stopInclusive() {
    return rowPrefix == null ? stopInclusive : reversed;
  }

  /** Returns whether rows are read downwards. */
  public boolean reversed() {
    return reversed;
  }

  /** Returns how many rows are read at the most. */
  public long limit() {
    return limit;
  }

  /** Returns how many cells a result has at the most. */
  public int batch() {
    return batch;
  }

  @Override
  Scan self() {
    return this;
  }

  /** Returns the lowest row above all that begin with a prefix; empty when there is none. */
  private static byte[] firstBehindPrefix(byte[] prefix) {
    int last = prefix.length - 1;
    while (last >= 0 && prefix[last] == (byte) 0xFF) {
      last--;
    }
    byte[] end = Arrays.copyOf(prefix, last + 1);
    if (last >= 0) {
      end[last]++;
    }
    return end;
  }
}
