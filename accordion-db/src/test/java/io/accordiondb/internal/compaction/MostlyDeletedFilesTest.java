// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.engine.OpenParts;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.retention.RangeTombstone;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which files are judged as deleted for the most part, and when. */
class MostlyDeletedFilesTest {
  private static final int ROWS = 200;
  private static final int VALUE_BYTES = 10_000;

  private final OpenParts parts;
  private final Store store;
  private long readPoint = Long.MAX_VALUE;
  private final MostlyDeletedFiles files = new MostlyDeletedFiles(() -> readPoint);
  private final Random random = new Random(1);
  private long sequence;

  MostlyDeletedFilesTest() throws IOException {
    parts = new OpenParts();
    store = parts.store();
  }

  /** Adds a file with a number of rows, from 0 on. Returns its number. */
  private long addFile() throws IOException {
    for (int row = 0; row < ROWS; row++) {
      put(row, VALUE_BYTES);
    }
    flush();
    return newest();
  }

  private void put(int row, int valueBytes) throws IOException {
    byte[] none = {};
    byte[] key = {(byte) row};
    ByteBuffer cell = ByteBuffer.allocate(KeyValueLayout.length(1, 0, 0, valueBytes));
    long number = ++sequence;
    byte[] value = new byte[valueBytes];
    random.nextBytes(value); // Blocks of equal length, although they are compressed.
    KeyValueLayout.write(cell, 0, key, none, none, number, CellType.PUT.code(), value);
    store.memStore().add(cell, 0, 1, number);
  }

  private long newest() {
    List<StoreFile> all = store.retainedFiles();
    try {
      return all.get(0).fileNumber();
    } finally {
      Store.release(all);
    }
  }

  /** Deletes rows, and flushes the tombstone with a row that is in no other file. */
  private void delete(int from, int to) throws IOException {
    store
        .memStore()
        .deleteRange(
            new RangeTombstone(new byte[] {(byte) from}, new byte[] {(byte) to}, ++sequence));
    put(255, 1);
    flush();
  }

  private void flush() throws IOException {
    parts.makeVisible(sequence);
    parts.flusher.flush(store);
  }

  private OptionalLong found() throws IOException {
    assertThat(files.mayBeIn(store)).isTrue();
    OptionalLong found = files.findIn(store);
    assertThat(files.mayBeIn(store)).as("found once more").isEqualTo(found.isPresent());
    return found;
  }

  @Test
  void aFileIsFoundIfMoreThanHalfOfItIsDeleted() throws IOException {
    long file = addFile();
    assertThat(files.mayBeIn(store)).isFalse();
    delete(20, 115);
    assertThat(found()).as("found with 95 of 200 rows deleted").isEmpty();
    delete(150, 165);
    assertThat(found()).hasValue(file);
  }

  @Test
  void rowsOfAllTombstonesTogetherCount() throws IOException {
    long file = addFile();
    delete(20, 60);
    delete(50, 100);
    delete(130, 180);
    assertThat(found()).hasValue(file);
  }

  @Test
  void whatWasWrittenLaterDoesNotCount() throws IOException {
    delete(0, 200);
    addFile();
    assertThat(files.mayBeIn(store)).isFalse();
  }

  @Test
  void aTombstoneThatAReaderDoesNotSeeDoesNotCountYet() throws IOException {
    long file = addFile();
    readPoint = sequence;
    delete(20, 180);
    assertThat(files.mayBeIn(store)).isFalse();
    readPoint = Long.MAX_VALUE;
    assertThat(found()).hasValue(file);
  }

  @Test
  void theOldestFileIsFoundFirst() throws IOException {
    long oldest = addFile();
    addFile();
    delete(20, 180);
    assertThat(found()).hasValue(oldest);
  }

  /** The index of a file is read again only for a tombstone that is new to it. */
  @Test
  void aFileIsJudgedAgainForANewTombstoneInItsRows() throws IOException {
    addFile();
    delete(20, 60);
    assertThat(found()).isEmpty();
    delete(210, 220);
    assertThat(files.mayBeIn(store)).as("judged again for other rows").isFalse();
    delete(60, 100);
    assertThat(found()).isEmpty();
    files.retainAll(Set.of(store.id()));
    assertThat(files.mayBeIn(store)).isFalse();
    files.retainAll(Set.of(new StoreId(store.id().regionId() + 1, store.id().familyId())));
    assertThat(files.mayBeIn(store)).as("known after it was forgotten").isTrue();
  }
}
