// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.inspect;

import io.accordiondb.Cell;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.WorkProgress;
import io.accordiondb.inspect.BlockOutline;
import io.accordiondb.inspect.Damage;
import io.accordiondb.inspect.FileKind;
import io.accordiondb.inspect.FileOutline;
import io.accordiondb.inspect.Inspector;
import io.accordiondb.inspect.SortedTableOutline;
import io.accordiondb.inspect.SortedTableVisitor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Prints a sorted table. Used once. */
final class TableView implements SortedTableVisitor {
  /** Parts of the table at whose ends a row is shown. */
  private static final int PARTS = 10;

  private final InspectOutput out;
  private final Histogram keys = new Histogram();
  private final Histogram values = new Histogram();
  private final List<Fields> rows = new ArrayList<>();
  private final TreeMap<String, Blocks> blocks = new TreeMap<>();
  private @Nullable WorkProgress progress;
  private long cellsExpected;
  private long cells;

  /** Blocks of one kind and compression together. */
  private static final class Blocks {
    private long count;
    private long bytes;
    private long storedBytes;
  }

  TableView(InspectOutput out) {
    this.out = out;
  }

  void print(Inspector inspector) throws IOException {
    List<String> known = inspector.files().stream().map(FileOutline::file).distinct().toList();
    for (String file : out.files(inspector, FileKind.SORTED_TABLE, known)) {
      try (WorkProgress begun = new WorkProgress(out.err(), "inspect", "cells", 0)) {
        progress = begun;
        inspector.readTable(file, this);
      }
    }
    List<Fields> compression = new ArrayList<>();
    blocks.forEach(
        (name, sum) ->
            compression.add(
                new Fields()
                    .with("blocks", name)
                    .with("count", sum.count)
                    .with("bytes", sum.bytes)
                    .with("storedBytes", sum.storedBytes)));
    section("compression by kind of block", "compression", compression);
    List<Fields> histogram = new ArrayList<>(keys.rows("key bytes"));
    histogram.addAll(values.rows("value bytes"));
    section("lengths", "histogram", histogram);
    section("rows at each tenth of the cells", "position", rows);
  }

  private void section(String title, String type, List<Fields> items) throws IOException {
    out.line("");
    out.line(title);
    out.items(type, items);
  }

  @Override
  public void outline(SortedTableOutline table) throws IOException {
    cellsExpected = table.cells();
    if (progress != null) {
      progress.set(0, cellsExpected);
    }
    out.fields(
        "properties",
        new Fields()
            .with("file", table.file())
            .with("table", table.table())
            .with("region", table.region())
            .with("family", table.family())
            .with("number", table.number())
            .with("bytes", table.bytes())
            .with("cells", table.cells())
            .with("markers", table.markers())
            .with("firstRow", out.key(table.firstRow()))
            .with("lastRow", out.key(table.lastRow()))
            .with("minTimestamp", table.minTimestamp())
            .with("maxTimestamp", table.maxTimestamp())
            .with("minSequence", table.minSequence())
            .with("maxSequence", table.maxSequence())
            .with("keyBytes", table.keyBytes())
            .with("valueBytes", table.valueBytes())
            .with("dataBlocks", table.dataBlocks())
            .with("dataBytes", table.dataBytes())
            .with("indexBytes", table.indexBytes())
            .with("filterBytes", table.filterBytes())
            .with("filterKeys", table.filterKeys())
            .with("compression", table.compression())
            .with("bloomFilter", table.bloomFilter())
            .with("indexLevels", table.indexLevels()));
  }

  @Override
  public void block(BlockOutline block) throws IOException {
    String kind = block.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    Blocks sum = blocks.computeIfAbsent(kind + ", " + block.compression(), name -> new Blocks());
    sum.count++;
    sum.bytes += block.bytes();
    sum.storedBytes += block.storedBytes();
    if (!out.wishes().blocks()) {
      return;
    }
    if (out.json()) {
      out.json(
          "block",
          new Fields()
              .with("kind", kind)
              .with("offset", block.offset())
              .with("storedBytes", block.storedBytes())
              .with("bytes", block.bytes())
              .with("compression", block.compression())
              .with("entries", block.entries())
              .with("firstRow", out.key(block.firstRow())));
      return;
    }
    out.line(
        String.format(
            Locale.ROOT,
            "block at %d: %s, %d of %d bytes, %s%s",
            block.offset(),
            kind,
            block.storedBytes(),
            block.bytes(),
            block.compression(),
            block.entries() == 0
                ? ""
                : ", " + block.entries() + " entries from row " + out.key(block.firstRow())));
  }

  @Override
  public boolean wantsCells() {
    return true;
  }

  @Override
  public void cell(Cell cell, long sequence) throws IOException {
    keys.add(cell.row().length + cell.family().length + cell.qualifier().length);
    values.add(cell.value().length);
    // A cell of a small table begins several parts.
    while (cellsExpected > 0
        && rows.size() < PARTS
        && cells >= rows.size() * cellsExpected / PARTS) {
      rows.add(
          new Fields().with("percent", rows.size() * 100 / PARTS).with("row", out.key(cell.row())));
    }
    cells++;
    if (progress != null) {
      progress.add(1);
    }
    if (out.wishes().cells()) {
      CellText.print(out, "", 0, sequence, cell);
    }
  }

  @Override
  public void damage(Damage damage) {
    out.damage(damage);
  }
}
