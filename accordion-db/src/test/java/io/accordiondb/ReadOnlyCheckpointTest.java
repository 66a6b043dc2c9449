// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a database that somebody else has open. */
@Tag("slow")
class ReadOnlyCheckpointTest {
  private static final DatabaseOptions READ_ONLY = DatabaseOptions.builder().readOnly(true).build();

  @TempDir Path folder;

  private static byte[] key(int number) {
    return String.format(Locale.ROOT, "key%07d", number).getBytes(US_ASCII);
  }

  private static int count(Path path) throws IOException {
    int count = 0;
    try (Database database = Database.open(path);
        KeyValueIterator all = database.keyValueStore("s").prefix(new byte[0])) {
      while (all.hasNext()) {
        assertThat(all.next().key()).as("no key is missing").isEqualTo(key(count));
        count++;
      }
    }
    return count;
  }

  @Test
  void holdsAPrefixOfHistoryWhileTheOwnerWritesFlushesAndMerges() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger acknowledged = new AtomicInteger();
    DatabaseOptions options =
        DatabaseOptions.builder().memoryBytes(4 << 20).logFileBytes(64 << 10).build();
    try (Database owner = Database.open(folder.resolve("db"), options)) {
      KeyValueStore store = owner.keyValueStore("s");
      TestThread writer =
          TestThread.start(
              "writer",
              () -> {
                for (int i = 0; !stop.get(); i++) {
                  store.put(key(i), new byte[300]);
                  acknowledged.set(i + 1);
                  if (i % 1000 == 999) {
                    owner.flush();
                    owner.majorCompact("s");
                  }
                }
              });
      try (Database reader = Database.open(folder.resolve("db"), READ_ONLY)) {
        for (int round = 0; round < 12; round++) {
          int atLeast = acknowledged.get();
          Path copy = folder.resolve("copy" + round);
          reader.checkpoint(copy);
          int atMost = acknowledged.get() + 1;
          assertThat(Database.verify(copy).problems()).isEmpty();
          assertThat(count(copy)).isBetween(atLeast, atMost);
          assertThat(Database.verify(copy).problems()).isEmpty();
        }
      } finally {
        stop.set(true);
        writer.join();
      }
    }
    assertThat(Database.verify(folder.resolve("db")).problems()).isEmpty();
  }

  @Test
  void refusesAFolderThatHoldsAnything() throws IOException {
    Database.open(folder.resolve("db")).close();
    Path full = Files.createDirectory(folder.resolve("full"));
    Files.writeString(full.resolve("precious"), "x");
    try (Database reader = Database.open(folder.resolve("db"), READ_ONLY)) {
      assertThatThrownBy(() -> reader.checkpoint(full))
          .isInstanceOf(DirectoryNotEmptyException.class);
    }
    assertThat(full.resolve("precious")).hasContent("x");
  }
}
