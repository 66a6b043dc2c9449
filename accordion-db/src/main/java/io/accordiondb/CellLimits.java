// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.encoding.KeyValueLayout;
import java.util.Objects;

/**
 * How long the parts of a cell can be, and checks of arguments against these limits. The format of
 * cells sets the limits; {@link DatabaseOptions} can set lower ones for writes.
 *
 * <p>Bounds of a {@link Scan}, of {@link Table#deleteRange} and of {@link KeyValueStore#range} may
 * be longer than any row. So the longest row with a zero byte appended is the bound just above that
 * row.
 */
public final class CellLimits {
  /** Longest row in bytes. */
  public static final int ROW_BYTES_MAX = KeyValueLayout.ROW_BYTES_MAX;

  /** Longest qualifier in bytes. */
  public static final int QUALIFIER_BYTES_MAX = Short.MAX_VALUE;

  private CellLimits() {}

  /**
   * {@return the row if a cell can have it}
   *
   * @param operation what the row is for, named in the message
   * @param row the row to check
   * @throws EmptyRowException if the row is empty
   * @throws RowTooLongException if it is longer than {@link #ROW_BYTES_MAX}
   */
  public static byte[] checkRow(String operation, byte[] row) {
    if (Objects.requireNonNull(row, "row").length == 0) {
      throw new EmptyRowException(operation);
    }
    return checkRowLength(row);
  }

  /**
   * {@return the row if a cell can have it, or if it is empty, which sorts before all rows}
   *
   * @param row the row to check
   * @throws RowTooLongException if it is longer than {@link #ROW_BYTES_MAX}
   */
  public static byte[] checkRowLength(byte[] row) {
    if (row.length > ROW_BYTES_MAX) {
      throw new RowTooLongException(row.length, ROW_BYTES_MAX);
    }
    return row;
  }

  /**
   * {@return the qualifier if a cell can have it}
   *
   * @param qualifier the qualifier to check
   * @throws ValueTooLargeException if it is longer than {@link #QUALIFIER_BYTES_MAX}
   */
  public static byte[] checkQualifier(byte[] qualifier) {
    if (qualifier.length > QUALIFIER_BYTES_MAX) {
      throw new ValueTooLargeException("the qualifier", qualifier.length, QUALIFIER_BYTES_MAX);
    }
    return qualifier;
  }

  /**
   * {@return the timestamp if a cell can have it}
   *
   * @param timestamp the timestamp to check
   * @throws IllegalArgumentException if it is negative, or is {@link Mutation#LATEST_TIMESTAMP}
   */
  public static long checkTimestamp(long timestamp) {
    if (timestamp < 0 || timestamp == Mutation.LATEST_TIMESTAMP) {
      throw new IllegalArgumentException(
          "timestamp is " + timestamp + ", expected 0 to " + (Mutation.LATEST_TIMESTAMP - 1));
    }
    return timestamp;
  }
}
