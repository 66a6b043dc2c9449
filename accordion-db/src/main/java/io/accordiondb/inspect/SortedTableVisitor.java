// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

import io.accordiondb.Cell;
import java.io.IOException;

/** Is shown a sorted table, part by part. Calls come on the thread that reads. */
public interface SortedTableVisitor {
  /** Is shown what the table says about itself, before all else; not called if that is damaged. */
  void outline(SortedTableOutline outline) throws IOException;

  /** Is shown a block; the cells of a data block follow. */
  void block(BlockOutline block) throws IOException;

  /** Returns whether {@link #cell} is to be called. */
  boolean wantsCells();

  /** Is shown a cell, in the order of the file. */
  void cell(Cell cell, long sequence) throws IOException;

  /** Is told of damage; what is sound behind it follows. */
  void damage(Damage damage) throws IOException;
}
