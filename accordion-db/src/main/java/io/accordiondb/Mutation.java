// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.encoding.CellType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change to one row, or a {@link DeleteRange}. Not thread-safe, and not to be changed while it is
 * being written. Arrays are not copied and must not be changed until then; what comes in a buffer
 * is copied.
 */
public abstract sealed class Mutation permits Put, Delete, DeleteRange, Merge, Increment, Append {
  /** Stands for the time of the write, which the database's clock gives. */
  public static final long LATEST_TIMESTAMP = Long.MAX_VALUE;

  static final byte[] NO_BYTES = {};

  private final byte[] row;
  private final List<Cell> cells = new ArrayList<>(1);
  private final List<Cell> cellsToRead = Collections.unmodifiableList(cells);
  private @Nullable Durability durability;

  Mutation(String operation, byte[] row) {
    this.row = CellLimits.checkRow(operation, row);
  }

  /** Creates a change of a range that begins with a row, or at a bound of any length. */
  Mutation(byte[] startRow) {
    this.row = startRow;
  }

  /** Returns the row; of a range, its start. */
  public final byte[] row() {
    return row;
  }

  /** Returns the changes in the order in which they were added. */
  public final List<Cell> cells() {
    return cellsToRead;
  }

  /** Returns the durability asked for, or null for the database's default. */
  public final @Nullable Durability durability() {
    return durability;
  }

  final void durability(@Nullable Durability durability) {
    this.durability = durability;
  }

  final void add(byte[] family, byte[] qualifier, long timestamp, CellType type, byte[] value) {
    if (timestamp < 0) {
      throw new IllegalArgumentException("timestamp is " + timestamp + ", expected 0 or more");
    }
    Objects.requireNonNull(family, "family");
    Objects.requireNonNull(qualifier, "qualifier");
    Objects.requireNonNull(value, "value");
    cells.add(new Cell(row, family, qualifier, timestamp, type, value));
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + cells;
  }
}
