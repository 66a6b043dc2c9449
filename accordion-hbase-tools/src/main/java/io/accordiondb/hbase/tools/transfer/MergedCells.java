// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.Cell;
import io.accordiondb.cli.hfile.DamagedHFileException;
import io.accordiondb.encoding.CellType;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.CellUtil;
import org.jspecify.annotations.Nullable;

/**
 * The cells of several HFiles of a family in HBase's order, each key once. If files hold cells of
 * equal row, column, timestamp and type, the one that HBase shows remains: that of the highest
 * sequence. Not thread-safe.
 */
final class MergedCells implements Closeable {
  private final byte[] family;
  private final TagRule tags;
  private final List<Source> opened = new ArrayList<>();
  private final PriorityQueue<Source> sources = new PriorityQueue<>(MergedCells::compare);
  private @Nullable Cell last;
  private long droppedTags;

  private record Source(StrictHFile file, SourceFile bounds, int order) {
    /** Moves to the next cell within the bounds. */
    boolean next() throws IOException {
      while (file.next()) {
        org.apache.hadoop.hbase.Cell cell = file.cell();
        int from = cell.getRowOffset();
        if (bounds.contains(cell.getRowArray(), from, from + cell.getRowLength())) {
          return true;
        }
      }
      return false;
    }
  }

  private MergedCells(String family, TagRule tags) {
    this.family = family.getBytes(StandardCharsets.US_ASCII);
    this.tags = tags;
  }

  /** Opens the files of a unit. */
  static MergedCells open(LocalFiles disk, ImportUnit unit, TagRule tags) throws IOException {
    MergedCells cells = new MergedCells(unit.family(), tags);
    boolean done = false;
    try {
      for (SourceFile each : unit.files()) {
        Source source = new Source(StrictHFile.open(disk, each.file()), each, cells.opened.size());
        cells.opened.add(source);
        if (source.next()) {
          cells.sources.add(source);
        }
      }
      done = true;
      return cells;
    } finally {
      if (!done) {
        cells.close();
      }
    }
  }

  private static int compare(Source a, Source b) {
    int order = CellComparatorImpl.COMPARATOR.compare(a.file.cell(), b.file.cell(), true);
    if (order == 0) {
      order = Long.compare(b.file.sequence(), a.file.sequence());
    }
    if (order == 0) {
      order = Long.compare(b.file.fileSequence(), a.file.fileSequence());
    }
    return order == 0 ? Integer.compare(b.order, a.order) : order;
  }

  /** Returns the next cell, or null at the end. */
  @Nullable Cell next() throws IOException {
    for (Source source = sources.poll(); source != null; source = sources.poll()) {
      org.apache.hadoop.hbase.Cell cell = source.file.cell();
      Cell found = last != null && isSameKey(cell, last) ? null : convert(source.file, cell);
      if (source.next()) {
        sources.add(source);
      }
      if (found != null) {
        last = found;
        return found;
      }
    }
    return null;
  }

  private static boolean isSameKey(org.apache.hadoop.hbase.Cell cell, Cell last) {
    return cell.getTimestamp() == last.timestamp()
        && cell.getTypeByte() == last.type().code()
        && CellUtil.matchingQualifier(cell, last.qualifier())
        && CellUtil.matchingRows(cell, last.row());
  }

  private Cell convert(StrictHFile file, org.apache.hadoop.hbase.Cell cell) throws IOException {
    if (!CellUtil.matchingFamily(cell, family)) {
      throw new IOException(
          file.file()
              + " holds cells of family \""
              + new String(CellUtil.cloneFamily(cell), StandardCharsets.UTF_8)
              + "\", expected \""
              + new String(family, StandardCharsets.US_ASCII)
              + "\", the name of its folder");
    }
    TagRule.Tags found = tags.of(file, cell);
    droppedTags += found.dropped();
    return new Cell(
        CellUtil.cloneRow(cell),
        family,
        CellUtil.cloneQualifier(cell),
        cell.getTimestamp(),
        type(file, cell),
        CellUtil.cloneValue(cell),
        found.kept());
  }

  private static CellType type(StrictHFile file, org.apache.hadoop.hbase.Cell cell)
      throws DamagedHFileException {
    int code = cell.getTypeByte();
    if (code > CellType.DELETE_FAMILY.code() || !CellType.isKnown(code)) {
      throw new DamagedHFileException(
          file.file()
              + " has a cell of type "
              + code
              + ", which HBase does not have, at "
              + CellUtil.getCellKeyAsString(cell));
    }
    return CellType.of(code);
  }

  /** Returns how many tags were left out. */
  long droppedTags() {
    return droppedTags;
  }

  @Override
  public void close() throws IOException {
    for (Source source : opened) {
      source.file.close();
    }
  }
}
