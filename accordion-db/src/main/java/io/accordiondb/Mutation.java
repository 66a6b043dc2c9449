// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.retention.VersionRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change to one row, or a {@link DeleteRange}. Not thread-safe. Arrays that are passed to it are
 * not copied; neither they nor the mutation may be changed until it has been written. The contents
 * of buffers are copied.
 */
public abstract sealed class Mutation permits Put, Delete, DeleteRange, Merge, Increment, Append {
  /** The timestamp that means the time of the write, by the database's clock. */
  public static final long LATEST_TIMESTAMP = Long.MAX_VALUE;

  static final byte[] NO_BYTES = {};

  private final byte[] row;
  private final List<Cell> cells = new ArrayList<>(1);
  private @Nullable Durability durability;
  private long ttlMillis = VersionRules.FOREVER;

  Mutation(String operation, byte[] row) {
    this.row = CellLimits.checkRow(operation, row);
  }

  /** Creates a change of a range that begins with a row, or at a bound of any length. */
  Mutation(byte[] startRow) {
    this.row = startRow;
  }

  /** {@return the row, or the start of a range} */
  public final byte[] row() {
    return row;
  }

  /** {@return the changes in the order in which they were added} */
  public final List<Cell> cells() {
    return Collections.unmodifiableList(cells);
  }

  /** {@return the durability, or null for the database's default} */
  public final @Nullable Durability durability() {
    return durability;
  }

  /**
   * {@return the time to live of the cells, in milliseconds from their timestamps; {@link
   * VersionRules#FOREVER} if they have none of their own}
   */
  public final long ttlMillis() {
    return ttlMillis;
  }

  final void ttlMillis(long millis) {
    if (millis < 1) {
      throw new IllegalArgumentException(
          "time to live is " + millis + " ms, expected 1 ms or more");
    }
    ttlMillis = millis;
    cells.replaceAll(
        cell ->
            new Cell(
                row,
                cell.family(),
                cell.qualifier(),
                cell.timestamp(),
                cell.type(),
                cell.value(),
                CellTags.withTtl(cell.tags(), millis)));
  }

  final void durability(@Nullable Durability durability) {
    this.durability = durability;
  }

  final void add(byte[] family, byte[] qualifier, long timestamp, CellType type, byte[] value) {
    add(family, qualifier, timestamp, type, value, CellTags.NONE);
  }

  /** Adds a cell with tags; the time to live of the mutation takes the place of theirs. */
  final void add(
      byte[] family, byte[] qualifier, long timestamp, CellType type, byte[] value, byte[] tags) {
    if (timestamp < 0) {
      throw new IllegalArgumentException("timestamp is " + timestamp + ", expected 0 or more");
    }
    Objects.requireNonNull(family, "family");
    Objects.requireNonNull(qualifier, "qualifier");
    Objects.requireNonNull(value, "value");
    byte[] all = ttlMillis == VersionRules.FOREVER ? tags : CellTags.withTtl(tags, ttlMillis);
    cells.add(new Cell(row, family, qualifier, timestamp, type, value, all));
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + cells;
  }
}
