// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.accordiondb.encoding.ModelCell;
import io.accordiondb.retention.FilteredCells;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.ReadRequest;
import io.accordiondb.retention.VersionRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** The cells and range tombstones that memory, files or a log hold, in any order. */
final class ModelContents {
  final List<ModelCell> cells = new ArrayList<>();
  final List<RangeTombstone> deleted = new ArrayList<>();

  static ModelContents of(List<ModelCell> cells, List<RangeTombstone> deleted) {
    ModelContents contents = new ModelContents();
    contents.cells.addAll(cells);
    contents.deleted.addAll(deleted);
    return contents;
  }

  /** Returns these contents and others. */
  ModelContents and(ModelContents others) {
    ModelContents both = of(cells, deleted);
    both.addAll(others);
    return both;
  }

  void addAll(ModelContents others) {
    cells.addAll(others.cells);
    deleted.addAll(others.deleted);
  }

  /** Returns what has a sequence number of at least this. */
  ModelContents from(long sequence) {
    return of(
        cells.stream().filter(cell -> cell.sequence() >= sequence).toList(),
        deleted.stream().filter(range -> range.sequence() >= sequence).toList());
  }

  void clear() {
    cells.clear();
    deleted.clear();
  }

  boolean isEmpty() {
    return cells.isEmpty() && deleted.isEmpty();
  }

  LongStream sequences() {
    return LongStream.concat(
        cells.stream().mapToLong(ModelCell::sequence),
        deleted.stream().mapToLong(RangeTombstone::sequence));
  }

  /** Returns the cells that a reader sees. */
  List<ModelCell> read(VersionRules rules, long readPoint, long now) {
    List<ModelCell> live =
        cells.stream()
            .filter(cell -> deleted.stream().noneMatch(range -> covers(range, cell, readPoint)))
            .toList();
    return new FilteredCells(live).read(rules, ReadRequest.allAt(readPoint, now));
  }

  private static boolean covers(RangeTombstone range, ModelCell cell, long readPoint) {
    byte[] row = cell.row().getBytes(ISO_8859_1);
    return range.sequence() <= readPoint
        && cell.sequence() < range.sequence()
        && Arrays.compareUnsigned(range.start(), row) <= 0
        && (range.end().length == 0 || Arrays.compareUnsigned(row, range.end()) < 0);
  }
}
