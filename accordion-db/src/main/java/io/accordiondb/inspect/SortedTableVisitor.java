// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

import io.accordiondb.Cell;
import java.io.IOException;

/** Receives the parts of a sorted table, on the thread that reads. */
public interface SortedTableVisitor {
  /**
   * Receives the properties of the table, before everything else; not called if they are damaged.
   *
   * @param outline the properties of the table
   * @throws IOException if the storage fails
   */
  void outline(SortedTableOutline outline) throws IOException;

  /**
   * Receives a block; the cells of a data block follow.
   *
   * @param block position and content of the block
   * @throws IOException if the storage fails
   */
  void block(BlockOutline block) throws IOException;

  /** {@return whether {@link #cell} is called} */
  boolean wantsCells();

  /**
   * Receives a cell. Cells come in the order of the file.
   *
   * @param cell the cell; may be kept after the call
   * @param sequence the sequence number of the cell
   * @throws IOException if the storage fails
   */
  void cell(Cell cell, long sequence) throws IOException;

  /**
   * Receives damage. Reading continues with the sound parts after it.
   *
   * @param damage place and description of the damage
   * @throws IOException if the storage fails
   */
  void damage(Damage damage) throws IOException;
}
