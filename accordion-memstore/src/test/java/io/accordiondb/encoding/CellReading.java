// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reads sources to their ends, in the plainest way there is. */
public final class CellReading {
  private CellReading() {}

  /** Returns all cells in the order of the source. */
  public static List<ModelCell> readAll(CellSource source) {
    try (CellCursor cursor = source.cursor()) {
      List<ModelCell> cells = new ArrayList<>();
      for (boolean valid = cursor.seekToFirst(); valid; valid = cursor.next()) {
        cells.add(current(cursor));
      }
      return cells;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the cells of several sources in order; a cell met twice is returned twice. */
  public static List<ModelCell> readAll(List<? extends CellSource> sources) {
    List<ModelCell> cells = new ArrayList<>();
    sources.forEach(source -> cells.addAll(readAll(source)));
    Collections.sort(cells);
    return cells;
  }

  /** Returns the cell on which a cursor stands. */
  public static ModelCell current(CellCursor cursor) {
    ModelCell cell =
        ModelCell.read(cursor.buffer(), cursor.offset(), cursor.length(), cursor.sequenceNumber());
    if (cell.length() != cursor.length()) {
      throw new AssertionError(cell + " has length " + cursor.length());
    }
    return cell;
  }
}
