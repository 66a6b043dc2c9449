// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogExtent;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.OpeningStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readers of a folder while the folder, or the reader itself, changes at a chosen moment. */
@Timeout(60)
class ReaderBesideChangesTest {
  private static final String STORE = "s";

  private final MemoryStorage disk = new MemoryStorage();

  private static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).logFileBytes(16 << 10);
  }

  private Database writer() throws IOException {
    return DatabaseEngine.open(disk, options().build());
  }

  private static DatabaseEngine reader(Storage storage) throws IOException {
    return (DatabaseEngine) DatabaseEngine.open(storage, options().readOnly(true).build());
  }

  @AfterEach
  void everyFileIsClosed() {
    assertThat(disk.openFiles()).isZero();
  }

  /** The writer uses up the numbers that the manifest had given out when the reader read it. */
  @Test
  void aCopyBesideAWriterThatTakesManyNumbersIsNoDamage() throws IOException {
    try (Database writer = writer()) {
      KeyValueStore store = writer.keyValueStore(STORE);
      AtomicInteger operationsBefore = new AtomicInteger(-1);
      AtomicInteger written = new AtomicInteger();
      OpeningStorage busy =
          new OpeningStorage(
              disk,
              operation -> {
                for (int i = 0; operationsBefore.get() == 0 && i < 80; i++) {
                  store.put(bytes("k"), bytes(Integer.toString(written.incrementAndGet())));
                  writer.flush();
                }
                operationsBefore.decrementAndGet();
              });
      store.put(bytes("k"), bytes("0"));
      try (DatabaseEngine reader = reader(busy)) {
        for (int before = 0; before < 12; before++) {
          int atLeast = written.get();
          operationsBefore.set(before);
          MemoryStorage copy = new MemoryStorage();
          reader.checkpoint(copy, LogExtent.NEEDED);
          try (Database copied = DatabaseEngine.open(copy, options().build())) {
            byte[] value = copied.keyValueStore(STORE).get(bytes("k"));
            assertThat(Integer.parseInt(new String(value, US_ASCII)))
                .isBetween(atLeast, written.get());
          }
        }
      }
    }
  }
}
