// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoryStorageTest extends StorageContract {
  private static final int SEEDS = 500;

  private final MemoryStorage disk = new MemoryStorage();

  @Override
  Storage newStorage() {
    return disk;
  }

  @Test
  void crashKeepsWhatIsSynced() throws IOException {
    try (StorageWriter writer = disk.create("f")) {
      writer.append(bytes("synced"));
      writer.sync();
      disk.syncDirectory("");
      writer.append(bytes("-unsynced"));
    }
    Set<String> survivors = new HashSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      String survivor = new String(disk.crash(new Random(seed)).bytes("f"), UTF_8);
      assertThat(survivor).startsWith("synced").hasSizeLessThanOrEqualTo(15);
      survivors.add(survivor);
    }
    assertThat(survivors)
        .contains("synced", "synced-un", "synced-unsynced", "synced-un\0\0\0\0\0\0");
    assertThat(new String(disk.copy().bytes("f"), UTF_8)).isEqualTo("synced-unsynced");
  }

  @Test
  void crashMayUndoWhatHappenedToNamesInAnyCombination() throws IOException {
    write("a", "1");
    write("b", "2");
    disk.syncDirectory("");
    disk.delete("a");
    disk.rename("b", "a");
    write("c", "3");
    Set<Set<String>> survivors = new HashSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      survivors.add(new HashSet<>(disk.crash(new Random(seed)).list("")));
    }
    assertThat(survivors).hasSize(8).contains(Set.of(), Set.of("a", "b", "c"), Set.of("a", "c"));
    disk.syncDirectory("");
    for (int seed = 0; seed < SEEDS; seed++) {
      assertThat(disk.crash(new Random(seed)).list("")).containsExactly("a", "c");
    }
  }

  @Test
  void copyKnowsWhatIsDurable() throws IOException {
    disk.createDirectories("d");
    disk.syncDirectory("");
    write("d/f", "text");
    disk.syncDirectory("d");
    disk.rename("d/f", "d/g");
    MemoryStorage copy = disk.copy();
    assertThat(copy.list("d")).containsExactly("g");
    for (int seed = 0; seed < SEEDS; seed++) {
      MemoryStorage crashed = copy.crash(new Random(seed));
      MemoryStorage expected = disk.crash(new Random(seed));
      assertThat(crashed.list("d")).isEqualTo(expected.list("d"));
      for (String name : crashed.list("d")) {
        assertThat(crashed.bytes("d/" + name)).isEqualTo(expected.bytes("d/" + name));
      }
    }
    try (StorageWriter writer = copy.create("d/h")) {
      writer.append(bytes("other"));
    }
    assertThat(disk.list("d")).containsExactly("g");
  }

  @Test
  void whatSurvivedACrashIsDurable() throws IOException {
    write("f", "text");
    disk.syncDirectory("");
    MemoryStorage first = disk.crash(new Random(1));
    assertThat(first.crash(new Random(2)).bytes("f")).isEqualTo(first.bytes("f"));
  }

  @Test
  void aLinkHasTheBytesOfTheFileSyncedOrNot() throws IOException {
    disk.createDirectories("d");
    disk.syncDirectory("");
    MemoryStorage other = new MemoryStorage();
    try (StorageWriter writer = disk.create("f")) {
      writer.append(bytes("text"));
      disk.linkTo("f", disk, "d/f");
      disk.linkTo("f", other, "f");
      disk.syncDirectory("");
      disk.syncDirectory("d");
      other.syncDirectory("");
      for (int seed = 0; seed < SEEDS; seed++) {
        MemoryStorage crashed = disk.copy().crash(new Random(seed));
        assertThat(crashed.bytes("d/f")).isEqualTo(crashed.bytes("f"));
      }
      assertThat(disk.crash(MemoryStorage.LOSES_ALL).bytes("d/f")).isEmpty();
      assertThat(other.crash(MemoryStorage.LOSES_ALL).bytes("f")).isEmpty();
      disk.sync("d/f");
    }
    disk.delete("f");
    assertThat(disk.crash(MemoryStorage.LOSES_ALL).bytes("d/f")).isEqualTo("text".getBytes(UTF_8));
    assertThat(other.crash(MemoryStorage.LOSES_ALL).bytes("f")).isEqualTo("text".getBytes(UTF_8));
    assertThatThrownBy(() -> disk.linkTo("d/f", other, "f"))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void crashIsRepeatableFromItsSeed() throws IOException {
    write("f", "text that is not synced");
    disk.syncDirectory("");
    for (int seed = 0; seed < 20; seed++) {
      assertThat(disk.crash(new Random(seed)).bytes("f"))
          .isEqualTo(disk.crash(new Random(seed)).bytes("f"));
    }
  }

  @Test
  void openFilesAreCounted() throws IOException {
    StorageWriter writer = disk.create("f");
    StorageReader reader = disk.open("f");
    assertThat(disk.openFiles()).isEqualTo(2);
    writer.close();
    writer.close();
    reader.close();
    assertThat(disk.openFiles()).isZero();
  }

  private void write(String name, String text) throws IOException {
    try (StorageWriter writer = disk.create(name)) {
      writer.append(bytes(text));
    }
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }
}
