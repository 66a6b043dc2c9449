// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

import io.accordiondb.Cell;
import java.util.List;

/**
 * A record of a log file. Immutable.
 *
 * @param offset of its first byte in the file
 * @param bytes its length in the file
 * @param isLink whether it is a link to other files; otherwise it is a batch of cells
 * @param firstSequence sequence number of the first cell; of a link, the last one before the file
 * @param cells number of cells; 0 for a link
 * @param link what a link says; empty for a batch
 * @param content the cells, if they were requested
 */
public record LogRecord(
    long offset,
    long bytes,
    boolean isLink,
    long firstSequence,
    int cells,
    String link,
    List<LoggedCell> content) {
  /**
   * A cell of a batch. Immutable.
   *
   * @param table name of the table, or its region's identity if the manifest does not know it
   * @param region identity of the region
   * @param sequence its sequence number
   * @param cell the cell
   */
  public record LoggedCell(String table, long region, long sequence, Cell cell) {}
}
