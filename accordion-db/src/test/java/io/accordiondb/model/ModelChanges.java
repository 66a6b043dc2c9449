// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.Cell;
import io.accordiondb.CompactionStyle;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Scan;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.TableDescriptor;
import io.accordiondb.encoding.CellType;
import io.accordiondb.model.ModelReads.Held;
import io.accordiondb.model.ModelReads.Probe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Random changes of tables that bypass the log: ingested files, other families, truncation. */
final class ModelChanges {
  private final Pair pair;
  private final Path folder;

  /**
   * Creates changes.
   *
   * @param folder where files to ingest are written
   */
  ModelChanges(Pair pair, Path folder) {
    this.pair = pair;
    this.folder = folder;
  }

  private static String table(Draw draw) {
    return draw.oneIn(2) ? ModelTables.A : ModelTables.B;
  }

  /** Ingests one file, or two that have rows in common but no column. */
  void ingest(Draw draw) throws IOException {
    String table = table(draw);
    FamilyDescriptor family = draw.pick(pair.expected().descriptor(table).families());
    TreeMap<byte[], TreeSet<byte[]>> columns = new TreeMap<>(Arrays::compareUnsigned);
    int count = 1 + draw.number(draw.oneIn(8) ? 200 : 20);
    for (int i = 0; i < count; i++) {
      columns
          .computeIfAbsent(draw.row(), row -> new TreeSet<>(Arrays::compareUnsigned))
          .add(draw.qualifier());
    }
    List<List<Cell>> contents = List.of(new ArrayList<>(), new ArrayList<>());
    int fileCount = 1 + draw.number(2);
    columns.forEach(
        (row, qualifiers) ->
            qualifiers.forEach(
                qualifier ->
                    contents
                        .get(draw.number(fileCount))
                        .addAll(versions(row, family.nameBytes(), qualifier, draw))));
    List<Path> files = new ArrayList<>();
    for (List<Cell> cells : contents) {
      if (!cells.isEmpty()) {
        files.add(write(family, cells));
      }
    }
    pair.changeUnseen(
        () -> pair.database().ingest(table, family.name(), files),
        expected -> expected.ingest(table, contents.stream().flatMap(List::stream).toList()));
    for (Path file : files) {
      Files.delete(file);
    }
  }

  private static List<Cell> versions(byte[] row, byte[] family, byte[] qualifier, Draw draw) {
    TreeSet<Long> timestamps = new TreeSet<>(Comparator.reverseOrder());
    int count = 1 + (draw.oneIn(4) ? draw.number(5) : 0);
    for (int i = 0; i < count; i++) {
      timestamps.add(draw.anyTimestamp());
    }
    return timestamps.stream()
        .map(time -> new Cell(row, family, qualifier, time, CellType.PUT, draw.value()))
        .toList();
  }

  private Path write(FamilyDescriptor family, List<Cell> cells) throws IOException {
    Path file = Files.createTempFile(folder, "ingested", ".sst");
    Files.delete(file);
    try (SortedFileWriter writer = SortedFileWriter.create(file, family)) {
      for (Cell cell : cells) {
        writer.add(cell.row(), cell.qualifier(), cell.timestamp(), cell.value());
      }
      writer.finish();
    }
    return file;
  }

  void truncate(Draw draw) throws IOException {
    String table = table(draw);
    if (draw.oneIn(5)) {
      pair.changeUnseen(
          () -> pair.database().truncateTable(table), expected -> expected.truncate(table));
    }
  }

  /** Copies a table in other formats, after what was copied before is checked and dropped. */
  void copy(Draw draw) throws IOException {
    if (pair.expected().tables().contains(ModelTables.COPY)) {
      for (Probe probe : ModelReads.allOf(ModelTables.COPY, pair.now())) {
        ModelReads.check(pair.database(), pair.expected(), probe, pair.now());
      }
      pair.changeUnseen(
          () -> pair.database().dropTable(ModelTables.COPY),
          expected -> expected.drop(ModelTables.COPY));
    }
    String table = table(draw);
    TableDescriptor.Builder copy = TableDescriptor.builder(ModelTables.COPY);
    boolean compacts = draw.oneIn(2);
    for (FamilyDescriptor family : pair.expected().descriptor(table).families()) {
      FamilyDescriptor.Builder other = family.toBuilder();
      if (!compacts) {
        other.compactionStyle(CompactionStyle.NONE);
      }
      copy.family(ModelTables.formatted(other, draw.random()));
    }
    TableDescriptor descriptor = copy.build();
    pair.changeUnseen(
        () -> pair.database().copyTable(table, descriptor),
        expected -> expected.copyTable(table, descriptor));
  }

  /** Drops a family and creates it again, or tightens its rules, or changes its format. */
  void alter(Draw draw) throws IOException {
    String table = table(draw);
    TableDescriptor old = pair.expected().descriptor(table);
    FamilyDescriptor family = draw.pick(old.families());
    switch (draw.number(3)) {
      case 0 -> {
        alter(old.toBuilder().removeFamily(family.name()).build());
        for (Held held : pair.snapshots()) {
          Probe past = new Probe(table, new Scan().setSnapshot(held.snapshot()), held);
          ModelReads.check(pair.database(), pair.expected(), past, pair.now());
        }
        alter(old.toBuilder().family(ModelTables.family(family.name(), draw.random())).build());
      }
      case 1 -> {
        if (!family.name().equals(ModelTables.ALL)) {
          FamilyDescriptor tightened =
              family.toBuilder()
                  .versionRules(ModelTables.tightened(family.versionRules(), draw.random()))
                  .build();
          alter(old.toBuilder().family(tightened).build());
        }
      }
      default ->
          alter(
              old.toBuilder()
                  .family(ModelTables.formatted(family.toBuilder(), draw.random()))
                  .build());
    }
  }

  /** Creates the families again that an alteration has dropped before a fault ended it. */
  void restoreFamilies(Draw draw) throws IOException {
    for (Map.Entry<String, List<String>> table : ModelTables.FAMILIES.entrySet()) {
      TableDescriptor now = pair.database().describe(table.getKey());
      pair.expected().alter(now);
      for (String family : table.getValue()) {
        if (now.family(family) == null) {
          now = now.toBuilder().family(ModelTables.family(family, draw.random())).build();
          alter(now);
        }
      }
    }
  }

  private void alter(TableDescriptor table) throws IOException {
    pair.changeUnseen(() -> pair.database().alterTable(table), expected -> expected.alter(table));
  }
}
