// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import io.accordiondb.Cell;
import io.accordiondb.ChangedCell;
import io.accordiondb.encoding.CellType;

/** Changed cells as a wrong feed delivers them; planted defects call this from other packages. */
public final class Altered {
  private Altered() {}

  /** Returns a cell with another type and value, and without tags. */
  public static ChangedCell cell(ChangedCell changed, CellType type, byte[] value) {
    Cell cell = changed.cell();
    return new ChangedCell(
        changed.table(),
        new Cell(cell.row(), cell.family(), cell.qualifier(), cell.timestamp(), type, value));
  }
}
