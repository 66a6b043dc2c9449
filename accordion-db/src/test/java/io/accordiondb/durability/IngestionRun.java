// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;

import io.accordiondb.Database;
import io.accordiondb.Get;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.TableDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Ingests a file into two regions, whatever allocation fails. Runs among {@link AllocatingClasses}.
 */
final class IngestionRun {
  private static final byte[] QUALIFIER = bytes("q");
  private static final byte[] LOWER = bytes("a");
  private static final byte[] UPPER = bytes("z");

  private IngestionRun() {}

  /** Ingests a file, and checks that readers see it as a whole or not at all. */
  static void ingest(long unused) throws IOException {
    Path folder = Files.createTempDirectory("accordion-ingestion");
    Path file = folder.resolve("sorted");
    try {
      ingest(Database.inMemory(), file);
    } catch (OutOfMemoryError e) {
      // The allocation was one of the opening, of a read, or of what precedes the ingestion.
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }

  private static void ingest(Database database, Path file) throws IOException {
    try {
      ingestOnce(database, file);
    } finally {
      close(database);
    }
  }

  private static void ingestOnce(Database database, Path file) throws IOException {
    database.createTable(TableDescriptor.of("t", "f"), bytes("m"));
    try (SortedFileWriter writer =
        SortedFileWriter.create(file, database.describe("t").family("f"))) {
      writer.add(LOWER, QUALIFIER, 1, bytes("value"));
      writer.add(UPPER, QUALIFIER, 1, bytes("value"));
      writer.finish();
    }
    try {
      database.ingest("t", "f", List.of(file));
    } catch (IOException | OutOfMemoryError e) {
      // It has failed, or is in force all the same.
    }
    if (isThere(database, LOWER) != isThere(database, UPPER)) {
      throw new AssertionError("a part of an ingestion is visible");
    }
  }

  private static boolean isThere(Database database, byte[] row) throws IOException {
    return !database.table("t").get(new Get(row)).isEmpty();
  }

  private static void close(Database database) {
    try {
      database.close();
    } catch (IOException | OutOfMemoryError e) {
      // The database has failed, and says so, or it was the closing that failed.
    }
  }
}
