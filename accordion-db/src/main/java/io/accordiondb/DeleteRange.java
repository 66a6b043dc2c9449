// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Deletes all cells of a range of rows that were written before it, whatever their timestamps, and
 * nothing that is written after it. It takes the same time however many rows there are, because it
 * writes one marker for each region and family and reads nothing. See {@link Mutation} for what may
 * be shared.
 *
 * <p>The cells are gone even if the family keeps deleted cells. Readers of a {@link Snapshot} that
 * was taken before still see them. In a batch, changes take effect in their order.
 *
 * <p>A transaction deletes the rows that it sees, one by one, with markers that hide all
 * timestamps. If the family keeps deleted cells, all of these cells are kept for reads whose time
 * range has an end, however late it is.
 */
public final class DeleteRange extends Mutation {
  private final byte[] stopRow;

  /**
   * Creates a deletion.
   *
   * @param startRow the first row; empty for the beginning of the table
   * @param stopRow the row before which the range ends; empty for the end of the table. If it is
   *     not above the first row, nothing is deleted
   */
  public DeleteRange(byte[] startRow, byte[] stopRow) {
    super(Objects.requireNonNull(startRow, "start row"));
    this.stopRow = Objects.requireNonNull(stopRow, "stop row");
  }

  /** {@return the first row; empty for the beginning of the table} */
  public byte[] startRow() {
    return row();
  }

  /** {@return the row before which the range ends; empty for the end of the table} */
  public byte[] stopRow() {
    return stopRow;
  }

  /**
   * Sets the durability; null means the database's default.
   *
   * @param durability the durability; null for the database's default
   * @return this
   */
  public DeleteRange setDurability(@Nullable Durability durability) {
    durability(durability);
    return this;
  }
}
