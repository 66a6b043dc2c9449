// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What a source says of its cells. */
record HeldCells(List<ModelCell> cells) implements CellSource {
  /**
   * Returns the cells of each source, newest source first.
   *
   * @param history cells whose sequence numbers count from 1 on
   * @param places the source of each cell, by its sequence number
   */
  static List<List<ModelCell>> spread(List<ModelCell> history, List<Integer> places, int count) {
    List<List<ModelCell>> sources = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sources.add(new ArrayList<>());
    }
    history.forEach(cell -> sources.get(places.get((int) cell.sequence() - 1)).add(cell));
    return sources;
  }

  /**
   * Returns what a compaction does not read of sources.
   *
   * @param sources the cells of each, newest first
   * @param inputs which of them it reads
   * @param anyMayHide whether any put may expire
   */
  static UnseenHistory unseen(
      List<List<ModelCell>> sources,
      List<Integer> inputs,
      ReadPointSet readPoints,
      boolean anyMayHide) {
    long first =
        inputs.stream()
            .flatMap(i -> sources.get(i).stream())
            .mapToLong(ModelCell::sequence)
            .min()
            .orElseThrow();
    UnseenHistory unseen = new UnseenHistory(readPoints, anyMayHide);
    for (int i = 0; i < sources.size(); i++) {
      if (!inputs.contains(i)) {
        HeldCells source = new HeldCells(sources.get(i));
        if (i < Collections.min(inputs)) {
          unseen.addNewer(source);
        } else {
          unseen.addOlder(source, first);
        }
      }
    }
    return unseen;
  }

  /**
   * Returns the rows that were written after a read point, as the commit of a transaction finds
   * them.
   */
  static Set<String> rowsWrittenAfter(long readPoint, List<ModelCell> cells) {
    return cells.stream()
        .filter(cell -> cell.sequence() > readPoint)
        .map(ModelCell::row)
        .collect(Collectors.toSet());
  }

  @Override
  public CellCursor cursor() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean mayContainRow(ByteBuffer key, int keyOffset) {
    return true;
  }

  @Override
  public long cellCount() {
    return cells.size();
  }

  @Override
  public long deleteMarkerCount() {
    return cells.stream().filter(cell -> cell.type() != CellType.PUT || cell.hasTtl()).count();
  }

  @Override
  public long minTimestamp() {
    return cells.stream().mapToLong(ModelCell::timestamp).min().orElse(Long.MAX_VALUE);
  }

  @Override
  public long maxTimestamp() {
    return cells.stream().mapToLong(ModelCell::timestamp).max().orElse(Long.MIN_VALUE);
  }

  @Override
  public long minSequence() {
    return cells.stream().mapToLong(ModelCell::sequence).min().orElse(Long.MAX_VALUE);
  }

  @Override
  public long maxSequence() {
    return cells.stream().mapToLong(ModelCell::sequence).max().orElse(0);
  }
}
