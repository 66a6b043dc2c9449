// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A query for a range of rows; without bounds, for all rows. Not thread-safe. */
public final class Scan extends Query<Scan> {
  private static final byte[] OPEN = {};

  private byte[] startRow = OPEN;
  private boolean startInclusive = true;
  private byte[] stopRow = OPEN;
  private boolean stopInclusive;
  private byte @Nullable [] rowPrefix;
  private boolean reversed;
  private boolean raw;
  private long limit = Long.MAX_VALUE;
  private int batch = Integer.MAX_VALUE;

  /**
   * Sets the row at which the scan begins; empty for the first row, or the last one if the scan is
   * reversed.
   *
   * @param row the row at which the scan begins; empty for no bound; may be longer than any row;
   *     not copied
   * @return this
   */
  public Scan setStartRow(byte[] row) {
    return setStartRow(row, Bound.INCLUSIVE);
  }

  /**
   * Sets the row at which the scan begins, and whether it belongs to the range.
   *
   * @param row the row at which the scan begins; empty for no bound; may be longer than any row;
   *     not copied
   * @param bound whether the row belongs to the range
   * @return this
   */
  public Scan setStartRow(byte[] row, Bound bound) {
    startRow = Objects.requireNonNull(row, "row");
    startInclusive = Objects.requireNonNull(bound, "bound") == Bound.INCLUSIVE;
    return this;
  }

  /**
   * Sets the row before which the scan ends; empty for no end.
   *
   * @param row the row at which the scan ends; empty for no bound; may be longer than any row; not
   *     copied
   * @return this
   */
  public Scan setStopRow(byte[] row) {
    return setStopRow(row, Bound.EXCLUSIVE);
  }

  /**
   * Sets the row at which the scan ends, and whether it belongs to the range.
   *
   * @param row the row at which the scan ends; empty for no bound; may be longer than any row; not
   *     copied
   * @param bound whether the row belongs to the range
   * @return this
   */
  public Scan setStopRow(byte[] row, Bound bound) {
    stopRow = Objects.requireNonNull(row, "row");
    stopInclusive = Objects.requireNonNull(bound, "bound") == Bound.INCLUSIVE;
    return this;
  }

  /**
   * Selects the rows that begin with a prefix, in place of a range.
   *
   * @param prefix the prefix; empty for all rows
   * @return this
   */
  public Scan setRowPrefix(byte[] prefix) {
    rowPrefix = Objects.requireNonNull(prefix, "prefix");
    return this;
  }

  /**
   * Sets whether rows are returned in descending order, from the start row, which is then the
   * higher one, to the stop row.
   *
   * @param reversed whether rows are returned in descending order
   * @return this
   */
  public Scan setReversed(boolean reversed) {
    this.reversed = reversed;
    return this;
  }

  /**
   * Sets whether the scan also returns delete markers, the puts that they hide, and expired puts. A
   * raw scan returns everything that other scans return, and of the rest of the history whatever no
   * compaction has dropped yet.
   *
   * <p>The cells of a column are in descending order of their timestamps; at equal timestamps,
   * markers come before puts. If several cells have the same column, timestamp and type, only the
   * newest is returned. Markers do not count as versions: the scan returns them down to the first
   * put beyond the maximum number of versions.
   *
   * <p>A marker hides only what was written before it. If a put was written after a marker of an
   * equal or higher timestamp, other scans return the put; a raw scan does not show which of the
   * two was written first.
   *
   * <p>Range tombstones are applied, not returned, and operands of a merge operator are folded into
   * puts.
   *
   * @param raw whether delete markers and hidden puts are returned; such a scan may select families
   *     but not columns
   * @return this
   */
  public Scan setRaw(boolean raw) {
    this.raw = raw;
    return this;
  }

  /**
   * Sets how many rows are returned at most; at least 0.
   *
   * @param rows the largest number of rows
   * @return this
   */
  public Scan setLimit(long rows) {
    if (rows < 0) {
      throw new IllegalArgumentException("limit is " + rows + " rows, expected 0 or more");
    }
    limit = rows;
    return this;
  }

  /**
   * Sets how many cells a result has at most, at least 1. A row with more cells is returned as
   * several results; it is in memory as a whole nevertheless.
   *
   * @param cells the largest number of cells in a result
   * @return this
   */
  public Scan setBatch(int cells) {
    if (cells < 1) {
      throw new IllegalArgumentException("batch is " + cells + " cells, expected 1 or more");
    }
    batch = cells;
    return this;
  }

  /**
   * {@return the row at which the scan begins; empty for the first row, or the last one if the scan
   * is reversed}
   */
  public byte[] startRow() {
    if (rowPrefix == null) {
      return startRow;
    }
    return reversed ? firstBehindPrefix(rowPrefix) : rowPrefix;
  }

  /** {@return whether the start row belongs to the range} */
  public boolean startInclusive() {
    return rowPrefix == null ? startInclusive : !reversed;
  }

  /** {@return the row at which the scan ends; empty for no end} */
  public byte[] stopRow() {
    if (rowPrefix == null) {
      return stopRow;
    }
    return reversed ? rowPrefix : firstBehindPrefix(rowPrefix);
  }

  /** {@return whether the stop row belongs to the range} */
  public boolean stopInclusive() {
    return rowPrefix == null ? stopInclusive : reversed;
  }

  /** {@return whether rows are returned in descending order} */
  public boolean reversed() {
    return reversed;
  }

  /** {@return whether delete markers and hidden puts are returned} */
  public boolean raw() {
    return raw;
  }

  /** {@return how many rows are returned at most} */
  public long limit() {
    return limit;
  }

  /** {@return how many cells a result has at most} */
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
