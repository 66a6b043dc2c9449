// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

import io.accordiondb.Cell;
import java.io.IOException;

/** Receives the parts of a sorted table, on the thread that reads. */
public interface SortedTableVisitor {
  /**
   * Receives the properties of the table, before everything else; not called if they are damaged.
   *
   * @param outline what the segment contains
   * @throws IOException if the storage fails
   */
  void outline(SortedTableOutline outline) throws IOException;

  /**
   * Receives a block; the cells of a data block follow.
   *
   * @param block the block
   * @throws IOException if the storage fails
   */
  void block(BlockOutline block) throws IOException;

  /** {@return whether {@link #cell} is called} */
  boolean wantsCells();

  /**
   * Is shown a cell, in the order of the file.
   *
   * @param cell the cell
   * @param sequence the sequence number
   * @throws IOException if the storage fails
   */
  void cell(Cell cell, long sequence) throws IOException;

  /**
   * Receives damage; sound parts behind it follow.
   *
   * @param damage the damage
   * @throws IOException if the storage fails
   */
  void damage(Damage damage) throws IOException;
}
