// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.DatabaseClosedException;
import io.accordiondb.FileReading;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Readers of many files share few open ones; the one read least lately gives way. */
class ReopeningStorageTest {
  private static final int FILES = 10;
  private static final int LIMIT = 3;

  private final MemoryStorage disk = new MemoryStorage();
  private final List<String> opened = new ArrayList<>();

  private final ReopeningStorage storage =
      new ReopeningStorage(
          new ListingStorage(disk, opened), FileReading.PLAIN, files -> files > LIMIT);

  private final List<StorageReader> readers = new ArrayList<>();

  /** Lists the names of the files opened. */
  private static final class ListingStorage extends WrappingStorage {
    private final List<String> opened;

    ListingStorage(Storage delegate, List<String> opened) {
      super(delegate);
      this.opened = opened;
    }

    @Override
    public StorageReader open(String name) throws IOException {
      opened.add(name);
      return delegate.open(name);
    }
  }

  @BeforeEach
  void openFiles() throws IOException {
    for (int i = 0; i < FILES; i++) {
      try (StorageWriter writer = storage.create(name(i))) {
        writer.append(ByteBuffer.wrap(new byte[] {(byte) i}));
      }
      readers.add(storage.open(name(i)));
    }
    opened.clear();
  }

  private static String name(int file) {
    return "file" + file;
  }

  private void read(int file) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(1);
    readers.get(file).readFully(target, 0);
    assertThat(target.get(0)).isEqualTo((byte) file);
    assertThat(disk.openFiles()).isLessThanOrEqualTo(LIMIT);
  }

  @Test
  void aFileThatCannotBeCountedIsClosed() throws IOException {
    int before = disk.openFiles();
    ReopeningStorage failing =
        new ReopeningStorage(
            disk,
            FileReading.PLAIN,
            files -> {
              throw new OutOfMemoryError("injected");
            });
    StorageReader first = failing.open(name(0));
    assertThatThrownBy(() -> failing.open(name(1))).isInstanceOf(OutOfMemoryError.class);
    assertThat(disk.openFiles()).isEqualTo(before + 1);
    first.close();
  }

  @Test
  void aFileThatHasGivenWayIsClosedEvenIfNoOtherCanBeCounted() throws IOException {
    int before = disk.openFiles();
    AtomicBoolean chosen = new AtomicBoolean();
    ReopeningStorage failing =
        new ReopeningStorage(
            disk,
            FileReading.PLAIN,
            files -> {
              if (chosen.get()) {
                throw new OutOfMemoryError("injected");
              }
              chosen.set(files == LIMIT);
              return chosen.get();
            });
    StorageReader givesWay = failing.open(name(0));
    StorageReader stays = failing.open(name(1));
    assertThatThrownBy(() -> failing.open(name(2))).isInstanceOf(OutOfMemoryError.class);
    assertThat(disk.openFiles()).isEqualTo(before + 1);
    stays.close();
    givesWay.close();
  }

  @Test
  void allAreReadThoughFewAreOpen() throws IOException {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < FILES; i++) {
        read(i);
      }
    }
    assertThat(opened).hasSize(3 * FILES);
  }

  @Test
  void aFileInUseStaysOpen() throws IOException {
    read(0);
    for (int i = 1; i < FILES; i++) {
      read(i);
      read(0);
    }
    assertThat(opened).containsOnlyOnce(name(0));
  }

  @Test
  void closedReadersGiveTheirPlaceUp() throws IOException {
    for (int i = LIMIT; i < FILES; i++) {
      readers.get(i).close();
    }
    assertThat(disk.openFiles()).isZero();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < LIMIT; i++) {
        read(i);
      }
    }
    assertThat(opened).hasSize(LIMIT);
    assertThat(readers.get(0).size()).isEqualTo(1);
    assertThatThrownBy(() -> read(LIMIT)).isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void aFileThatIsMissingFailsAtOnce() {
    assertThatThrownBy(() -> storage.open("missing")).isInstanceOf(NoSuchFileException.class);
    assertThat(disk.openFiles()).isEqualTo(LIMIT);
  }

  @Test
  void closingEndsAllReaders() {
    storage.close();
    assertThat(disk.openFiles()).isZero();
    for (int i = 0; i < FILES; i++) {
      int file = i;
      assertThatThrownBy(() -> read(file)).isInstanceOf(DatabaseClosedException.class);
    }
    assertThatThrownBy(() -> storage.open(name(0))).isInstanceOf(DatabaseClosedException.class);
  }
}
