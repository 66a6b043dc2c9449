// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseClosedException;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.storage.FileStorage;
import io.accordiondb.internal.storage.ObservedStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CloseWhileIngestingTest {
  private static final byte[] ROW = "row".getBytes(US_ASCII);

  @TempDir Path folder;

  @Test
  void ingestSaysThatTheDatabaseIsClosedAndTakesNothing() throws IOException {
    Path file = folder.resolve("sorted");
    try (SortedFileWriter writer = SortedFileWriter.create(file, FamilyDescriptor.of("f"))) {
      writer.add(ROW, ROW, 1, ROW);
      writer.finish();
    }
    Path path = folder.resolve("db");
    AtomicReference<Database> closing = new AtomicReference<>();
    ObservedStorage storage =
        new ObservedStorage(
            new FileStorage(path),
            () -> {
              Database database = closing.getAndSet(null);
              try {
                if (database != null) {
                  database.close();
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    Database database = DatabaseEngine.open(storage, DatabaseOptions.defaults());
    database.createTable(TableDescriptor.of("t", "f"));
    // The next change to the disk, of the ingest, finds the database closed.
    closing.set(database);
    assertThatThrownBy(() -> database.ingest("t", "f", List.of(file)))
        .isInstanceOf(DatabaseClosedException.class);
    try (Database again = Database.open(path)) {
      assertThat(again.table("t").get(new Get(ROW)).isEmpty()).isTrue();
    }
  }
}
