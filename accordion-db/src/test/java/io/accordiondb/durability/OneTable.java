// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.accordiondb.CompactionStyle;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** A database with one table in memory, as several tests need it. */
abstract class OneTable {
  static final byte[] F = bytes("f");
  static final byte[] Q = bytes("q");

  @TempDir Path folder;
  final MemoryStorage disk = new MemoryStorage();
  private int files;

  static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).durability(Durability.FSYNC);
  }

  static FamilyDescriptor manual() {
    return FamilyDescriptor.builder("f").compactionStyle(CompactionStyle.NONE).build();
  }

  static Database open(MemoryStorage disk, DatabaseOptions.Builder options) throws IOException {
    return DatabaseEngine.open(disk, options.build());
  }

  static void put(Database database, String table, String row, String value) throws IOException {
    database.table(table).put(new Put(bytes(row)).addColumn(F, Q, bytes(value)));
  }

  static String get(Database database, String table, String row) throws IOException {
    byte[] value = database.table(table).get(new Get(bytes(row))).value(F, Q);
    return value == null ? null : new String(value, US_ASCII);
  }

  void ingest(Database database, String table, String row, String value) throws IOException {
    Path file = folder.resolve("file" + files++);
    try (SortedFileWriter writer = SortedFileWriter.create(file, manual())) {
      writer.add(bytes(row), Q, 1, bytes(value));
      writer.finish();
    }
    database.ingest(table, "f", List.of(file));
  }
}
