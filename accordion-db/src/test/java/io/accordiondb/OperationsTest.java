// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.fixtures.TestData.key;
import static io.accordiondb.fixtures.TestFiles.filesBelow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.fixtures.Mount;
import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperationsTest {
  @TempDir Path folder;

  private static DatabaseOptions options() {
    return DatabaseOptions.builder().memoryBytes(1 << 20).logFileBytes(16 << 10).build();
  }

  private Database filled(Path path, int keys) throws IOException {
    Database database = Database.open(path, options());
    KeyValueStore store = database.keyValueStore("s");
    for (int i = 0; i < keys; i++) {
      store.put(key(i), bytes("value " + i));
    }
    return database;
  }

  private static int count(Database database) throws IOException {
    int count = 0;
    try (KeyValueIterator all = database.keyValueStore("s").range(null, null)) {
      while (all.hasNext()) {
        assertThat(all.next().key()).isEqualTo(key(count++));
      }
    }
    return count;
  }

  private static Map<String, Long> filesOf(Path folder) throws IOException {
    Map<String, Long> files = new TreeMap<>();
    for (Path path : filesBelow(folder)) {
      files.put(
          folder.relativize(path).toString(),
          Files.size(path) ^ Files.getLastModifiedTime(path).toMillis());
    }
    return files;
  }

  @Test
  void checkpointIsAWholeDatabaseOfItsOwn() throws IOException {
    Path copy = folder.resolve("copy");
    try (Database database = filled(folder.resolve("db"), 1000)) {
      database.flush();
      database.keyValueStore("s").put(key(1000), bytes("in the log alone"));
      database.checkpoint(copy);
      database.keyValueStore("s").put(key(1001), bytes("later"));
      assertThatThrownBy(() -> database.checkpoint(copy))
          .isInstanceOf(DirectoryNotEmptyException.class);
      database.majorCompact("s");
    }
    assertThat(Database.verify(copy).problems()).isEmpty();
    try (Database database = Database.open(copy, options())) {
      assertThat(count(database)).isEqualTo(1001);
      database.keyValueStore("s").put(key(1001), bytes("its own"));
      database.majorCompact("s");
    }
    try (Database database = Database.open(folder.resolve("db"), options())) {
      assertThat(database.keyValueStore("s").get(key(1001))).isEqualTo(bytes("later"));
      assertThat(count(database)).isEqualTo(1002);
    }
    assertThat(Database.verify(folder.resolve("db")).problems()).isEmpty();
  }

  @Test
  void checkpointThatIsRefusedLeavesNoFolder() throws IOException {
    Path copy = folder.resolve("copies").resolve("one");
    filled(folder.resolve("db"), 1).close();
    Database readOnly =
        Database.open(folder.resolve("db"), DatabaseOptions.builder().readOnly(true).build());
    readOnly.close();
    assertThatThrownBy(() -> readOnly.checkpoint(copy)).isInstanceOf(DatabaseClosedException.class);
    assertThat(copy.getParent()).doesNotExist();
  }

  @Test
  void checkpointInTheFolderOfTheDatabaseIsRefused() throws IOException {
    Path path = folder.resolve("db");
    DatabaseOptions readOnly = DatabaseOptions.builder().readOnly(true).build();
    Path link = Files.createSymbolicLink(folder.resolve("link"), path);
    try (Database owner = filled(path, 10);
        Database reader = Database.open(path, readOnly)) {
      for (Database database : List.of(owner, reader)) {
        for (Path inside : List.of(path.resolve("kept"), path.resolve("a/b"), link.resolve("c"))) {
          assertThatThrownBy(() -> database.checkpoint(inside))
              .as(inside.toString())
              .isInstanceOf(IOException.class)
              .hasMessageContaining("is in the folder of the database");
          assertThat(inside).doesNotExist();
        }
      }
      owner.checkpoint(folder.resolve("db2"));
    }
    assertThat(path.resolve("a")).doesNotExist();
  }

  @Test
  void verifyReadsADatabaseOnAReadOnlyFileSystem() throws Exception {
    Path path = folder.resolve("db");
    Path mounted = Files.createDirectory(folder.resolve("mounted"));
    filled(path, 1000).close();
    try (Mount mount = Mount.of("--bind", "-o", "ro", path.toString(), mounted.toString())) {
      assertThat(mount).isNotNull();
      assertThat(Files.isWritable(mounted)).isFalse();
      Map<String, Long> before = filesOf(path);
      assertThat(Database.verify(mounted).isSound()).isTrue();
      assertThat(filesOf(path)).isEqualTo(before);
      try (Database database = Database.open(path, options())) {
        assertThatThrownBy(() -> Database.verify(mounted))
            .isInstanceOf(DatabaseLockedException.class);
        database.keyValueStore("s").put(key(1000), bytes("still its own"));
      }
      // A copy of the files alone has no lock.
      Files.delete(path.resolve("LOCK"));
      assertThat(Database.verify(mounted).isSound()).isTrue();
    }
  }

  @Test
  void checkpointsWhileWritingHoldAPrefixOfHistory() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger acknowledged = new AtomicInteger();
    try (Database database = Database.open(folder.resolve("db"), options())) {
      KeyValueStore store = database.keyValueStore("s");
      byte[] padding = new byte[300];
      TestThread writer =
          TestThread.start(
              "writer",
              () -> {
                for (int i = 0; !stop.get(); i++) {
                  store.put(key(i), padding);
                  acknowledged.set(i + 1);
                }
              });
      for (int round = 0; round < 8; round++) {
        int atLeast = acknowledged.get();
        Path copy = folder.resolve("copy" + round);
        database.checkpoint(copy);
        int atMost = acknowledged.get() + 1;
        assertThat(Database.verify(copy).problems()).isEmpty();
        try (Database checkpoint = Database.open(copy, options())) {
          assertThat(count(checkpoint)).isBetween(atLeast, atMost);
        }
        if (round % 2 == 1) {
          database.majorCompact("s");
        }
      }
      stop.set(true);
      writer.join();
      assertThat(count(database)).isEqualTo(acknowledged.get());
    }
  }

  @Test
  void readOnlyOpenChangesNothingAndSeesTheLog() throws IOException {
    Path path = folder.resolve("db");
    Database writing = filled(path, 500);
    DatabaseOptions readOnly = DatabaseOptions.builder().readOnly(true).build();
    writing.keyValueStore("s").put(key(500), bytes("x"));
    Map<String, Long> before = filesOf(path);
    try (Database database = Database.open(path, readOnly)) {
      writing.keyValueStore("s").put(key(501), bytes("later"));
      assertThat(count(database)).isEqualTo(501);
      assertThatThrownBy(() -> database.keyValueStore("s").put(key(1), bytes("y")))
          .isInstanceOf(ReadOnlyDatabaseException.class);
      assertThatThrownBy(() -> database.keyValueStore("s").increment(key(9999), 1))
          .isInstanceOf(ReadOnlyDatabaseException.class);
      assertThatThrownBy(() -> database.createTable(TableDescriptor.of("t", "f")))
          .isInstanceOf(ReadOnlyDatabaseException.class);
      assertThatThrownBy(database::flush).isInstanceOf(ReadOnlyDatabaseException.class);
      assertThatThrownBy(() -> database.dropTable("s"))
          .isInstanceOf(ReadOnlyDatabaseException.class);
    }
    Map<String, Long> after = filesOf(path);
    assertThat(after).containsKeys(before.keySet().toArray(String[]::new));
    // The writer may have prepared its next log file meanwhile.
    after.keySet().removeAll(before.keySet());
    assertThat(after.keySet())
        .hasSizeLessThanOrEqualTo(1)
        .allMatch(name -> name.matches("wal/\\d+\\.log"));
    writing.close();
    Map<String, Long> closed = filesOf(path);
    try (Database database = Database.open(path, readOnly)) {
      assertThat(count(database)).isEqualTo(502);
    }
    assertThat(filesOf(path)).isEqualTo(closed);
    assertThatThrownBy(() -> Database.open(folder.resolve("nothing"), readOnly))
        .isInstanceOf(NotADatabaseException.class);
    assertThat(folder.resolve("nothing")).doesNotExist();
  }

  @Test
  void verifyFindsDamageOfEachKindAndChangesNothing() throws IOException {
    Path path = folder.resolve("db");
    filled(path, 2000).close();
    VerificationReport sound = Database.verify(path);
    assertThat(sound.isSound()).isTrue();
    assertThat(sound.cells()).isEqualTo(2000);
    Map<String, Long> before = filesOf(path);
    try (Stream<Path> tables = Files.list(path.resolve("sst"))) {
      for (Path table : tables.toList()) {
        byte[] bytes = Files.readAllBytes(table);
        for (int offset : new int[] {0, bytes.length / 2, bytes.length - 1}) {
          byte[] damaged = bytes.clone();
          damaged[offset] ^= 1;
          Files.write(table, damaged);
          assertThat(Database.verify(path).problems())
              .singleElement()
              .satisfies(problem -> assertThat(problem.file()).endsWith(".sst"));
        }
        Files.delete(table);
        assertThat(Database.verify(path).problems()).hasSize(1);
        Files.write(table, bytes);
      }
    }
    Path stray = Files.writeString(path.resolve("sst/000000000000.sst"), "stray");
    assertThat(Database.verify(path).isSound()).isTrue();
    assertThat(Database.verify(path).notes())
        .singleElement()
        .asString()
        .contains("000000000000.sst");
    Files.delete(stray);
    Files.writeString(path.resolve("CURRENT"), "MANIFEST-000000000001 00000000\n");
    assertThat(Database.verify(path).isSound()).isFalse();
    assertThat(filesOf(path).keySet()).isEqualTo(before.keySet());
  }

  @Test
  void verifyNeedsADatabaseThatIsNotOpen() throws IOException {
    Path path = folder.resolve("db");
    try (Database database = filled(path, 1)) {
      assertThat(count(database)).isEqualTo(1);
      assertThatThrownBy(() -> Database.verify(path)).isInstanceOf(DatabaseLockedException.class);
    }
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThatThrownBy(() -> Database.verify(empty)).isInstanceOf(NotADatabaseException.class);
    assertThatThrownBy(() -> Database.verify(folder.resolve("none")))
        .isInstanceOf(NotADatabaseException.class);
  }
}
