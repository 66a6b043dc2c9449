// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Put;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.encoding.CellCursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tables whose checksums are right and whose cells are out of order: reads of them end. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DisorderedTableTest {
  /** So many cells of a row are passed by a seek. */
  private static final int MANY = 12;

  private static final String LONG = "v".repeat(1000);

  @TempDir private Path folder;

  @Test
  void aSeekDoesNotStandBeforeWhatItSeeks() throws IOException {
    BytesStorage storage = new BytesStorage();
    Tables.write(
        storage,
        Tables.options(512, Compression.NONE, BloomKind.NONE),
        List.of(
            TestCell.put("alpha", "q", LONG, 1),
            TestCell.put("beta", "q", LONG, 2),
            TestCell.put("gamma", "q", LONG, 3)));
    byte[] file = storage.bytes(Tables.NAME);
    IndexBlock root = Tables.rootIndex(storage);
    replace(file, root.handle(1), "beta", "aaaa");
    replace(file, root.handle(2), "gamma", "aaaaa");
    storage.setBytes(Tables.NAME, file);
    SortedTable table = Tables.open(storage);
    try (CellCursor cursor = table.cursor(true)) {
      ByteBuffer key = TestCell.put("beta", "q", LONG, 2).bytes();
      assertThatThrownBy(() -> cursor.seek(key, 0))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContainingAll(Tables.NAME, "cells from beta/:q", "found aaaaa/:q");
      assertThat(cursor.isValid()).isFalse();
    } finally {
      table.release();
    }
  }

  @Test
  void aScanDoesNotGoRoundInCircles() throws IOException {
    try (Database database = Database.open(folder)) {
      FamilyDescriptor family =
          FamilyDescriptor.builder(KeyValueStore.FAMILY).compression(Compression.NONE).build();
      database.createTable(TableDescriptor.builder("t").family(family).build());
      Table table = database.table("t");
      for (String row : List.of("\u00F1", "\u00F2", "\u00F3", "\u00F4")) {
        Put put = new Put(latin1(row));
        for (int column = 0; column < (row.compareTo("\u00F2") > 0 ? MANY : 2); column++) {
          put.addColumn(latin1(KeyValueStore.FAMILY), latin1("c" + column), 1, latin1("v"));
        }
        table.put(put);
      }
      database.flush();
    }
    Path file;
    try (Stream<Path> files = Files.list(folder.resolve("sst"))) {
      file = files.findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(file);
    replace(bytes, dataBlock(file, bytes), "\u00F3", "\u00F0");
    Files.write(file, bytes);
    try (Database database = Database.open(folder);
        KeyValueIterator all = database.keyValueStore("t").range(null, null)) {
      assertThatThrownBy(all::hasNext)
          .hasCauseInstanceOf(CorruptionException.class)
          .hasMessageContaining("a sorted table of family " + KeyValueStore.FAMILY);
    }
  }

  private static BlockHandle dataBlock(Path file, byte[] bytes) throws IOException {
    BytesStorage storage = new BytesStorage();
    storage.setBytes(Tables.NAME, bytes);
    long number = Long.parseLong(file.getFileName().toString().replace(".sst", ""));
    return Tables.rootIndex(storage, number).handle(0);
  }

  /** Replaces a text wherever it is in a block, and makes the checksum of the block right. */
  private static void replace(byte[] file, BlockHandle block, String from, String to) {
    byte[] sought = latin1(from);
    int start = (int) block.offset();
    for (int at = start; at < start + block.length(); at++) {
      if (Arrays.equals(sought, Arrays.copyOfRange(file, at, at + sought.length))) {
        System.arraycopy(latin1(to), 0, file, at, sought.length);
      }
    }
    int crcAt = start + block.length() + SortedTableFormat.BLOCK_TRAILER_BYTES - Integer.BYTES;
    byte[] covered = Arrays.copyOfRange(file, start, crcAt);
    ByteBuffer.wrap(file).putInt(crcAt, SortedTableFormat.maskedCrc(covered, covered.length));
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
