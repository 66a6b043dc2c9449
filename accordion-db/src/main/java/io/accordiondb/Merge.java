// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.encoding.CellType;
import org.jspecify.annotations.Nullable;

/**
 * Writes operands to columns of one row, whose families have a {@link MergeOperator}. Writing reads
 * nothing: readers, flushes and compactions combine the operands with what is stored. See {@link
 * Mutation} for what may be shared.
 *
 * <pre>{@code
 * byte[] one = ByteBuffer.allocate(Long.BYTES).putLong(1).array();
 * table.merge(new Merge(page).addColumn(counters, visits, one)); // Adds 1, without a read.
 * }</pre>
 */
public final class Merge extends Mutation {
  /**
   * Creates a merge.
   *
   * @param row the row, 1 to 32,767 bytes; not copied
   */
  public Merge(byte[] row) {
    super("merge", row);
  }

  /**
   * Adds an operand for a column.
   *
   * @param family the name of the family
   * @param qualifier the qualifier, at most 32,767 bytes; may be empty; not copied
   * @param operand the operand, in the form that the merge operator expects; not copied
   * @return this
   */
  public Merge addColumn(byte[] family, byte[] qualifier, byte[] operand) {
    add(family, qualifier, LATEST_TIMESTAMP, CellType.MERGE, operand);
    return this;
  }

  /**
   * Sets the durability; null means the database's default.
   *
   * @param durability the durability; null for the database's default
   * @return this
   */
  public Merge setDurability(@Nullable Durability durability) {
    durability(durability);
    return this;
  }
}
