// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Mutation;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.TableDescriptor;
import io.accordiondb.cli.hfile.HFileExport;
import io.accordiondb.cli.hfile.HFileForm;
import io.accordiondb.cli.hfile.HFileImport;
import io.accordiondb.cli.hfile.HFileImport.Choice;
import io.accordiondb.cli.hfile.HFileImport.Kind;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Databases that are moved: filled from a seed, exported, imported and read. */
final class Stores {
  static final String TABLE = "orders";

  /** Keeps all that is written. */
  static final String KEPT = "kept";

  /** Keeps three versions, and drops deleted cells; its cells may have a time to live. */
  static final String PLAIN = "plain";

  private static final long BASE_MILLIS = 1_700_000_000_000L;
  private static final long HOUR_MILLIS = 3_600_000;
  private static final PrintWriter NOWHERE = new PrintWriter(Writer.nullWriter());

  private Stores() {}

  static TableDescriptor table() {
    return TableDescriptor.builder(TABLE)
        .family(
            FamilyDescriptor.builder(KEPT)
                .versionRules(
                    new VersionRules(1000, 0, VersionRules.FOREVER, KeepDeletedCells.TRUE))
                .build())
        .family(FamilyDescriptor.builder(PLAIN).maxVersions(3).build())
        .build();
  }

  static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }

  /** Creates a database with some cells in four regions. */
  static Database create(Path folder, long seed, long cells) throws IOException {
    Database database = Database.open(folder);
    boolean done = false;
    try {
      database.createTable(
          table(), bytes("row2"), bytes("row5"), new byte[] {'r', 'o', 'w', '8', -1});
      fill(database, seed, cells);
      done = true;
    } finally {
      if (!done) {
        database.close();
      }
    }
    return database;
  }

  /** Writes puts, and one marker to each eight of them, with timestamps in ascending order. */
  static void fill(Database database, long seed, long cells) throws IOException {
    Random random = new Random(seed);
    List<Mutation> batch = new ArrayList<>();
    for (long i = 0; i < cells; i++) {
      byte[] row = bytes("row" + Integer.toString(random.nextInt(100_000) % (int) (1 + cells / 4)));
      byte[] family = bytes(random.nextInt(4) == 0 ? PLAIN : KEPT);
      byte[] qualifier = bytes(random.nextInt(9) == 0 ? "" : "q" + random.nextInt(3));
      long timestamp = BASE_MILLIS + i;
      batch.add(
          random.nextInt(9) == 0
              ? marker(random, row, family, qualifier, timestamp)
              : put(random, row, family, qualifier, timestamp));
      if (batch.size() == 500 || i == cells - 1) {
        database.table(TABLE).mutate(batch);
        batch.clear();
      }
    }
  }

  private static Put put(
      Random random, byte[] row, byte[] family, byte[] qualifier, long timestamp) {
    byte[] value = new byte[random.nextInt(30)];
    random.nextBytes(value);
    Put put = new Put(row).setDurability(Durability.SKIP);
    if (random.nextInt(5) == 0 && Arrays.equals(family, bytes(PLAIN))) {
      put.setTtlMillis(Long.MAX_VALUE / 4 + random.nextInt(1000) * HOUR_MILLIS);
    }
    byte[] tags = random.nextInt(5) == 0 ? new byte[] {0, 3, 65, 1, 2} : new byte[0];
    return put.addColumn(family, qualifier, timestamp, value, tags);
  }

  private static Delete marker(
      Random random, byte[] row, byte[] family, byte[] qualifier, long timestamp) {
    Delete delete = new Delete(row).setDurability(Durability.SKIP);
    long earlier = timestamp - random.nextInt(1000);
    return switch (random.nextInt(4)) {
      case 0 -> delete.addColumn(family, qualifier, earlier);
      case 1 -> delete.addColumns(family, qualifier, earlier);
      case 2 -> delete.addFamily(family, earlier);
      default -> delete.addFamilyVersion(family, earlier);
    };
  }

  static List<Cell> visible(Database database, String... families) throws IOException {
    return cells(database, new Scan().setAllVersions(), families);
  }

  static List<Cell> raw(Database database, String... families) throws IOException {
    return cells(database, new Scan().setAllVersions().setRaw(true), families);
  }

  private static List<Cell> cells(Database database, Scan scan, String... families)
      throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (String family : families) {
      scan.addFamily(bytes(family));
    }
    try (ResultScanner scanner = database.table(TABLE).scan(scan)) {
      for (Result result : scanner) {
        cells.addAll(result.cells());
      }
    }
    return cells;
  }

  static HFileExport export(Database database, Path target) {
    return export(database, target, null, HFileForm.DEFAULT);
  }

  static HFileExport export(
      Database database, Path target, @Nullable List<byte[]> splits, HFileForm form) {
    return new HFileExport(database, TABLE, target, splits, form, NOWHERE);
  }

  static HFileImport imported(Kind kind, Path source, Path folder, Choice... choices) {
    return new HFileImport(
        kind,
        source,
        null,
        TABLE,
        Set.of(choices),
        folder,
        create -> Database.open(folder, DatabaseOptions.builder().createIfMissing(create).build()),
        NOWHERE);
  }

  /** Returns a number of a result. */
  static long number(Map<String, Object> result, String name) {
    return ((Number) result.getOrDefault(name, -1L)).longValue();
  }
}
