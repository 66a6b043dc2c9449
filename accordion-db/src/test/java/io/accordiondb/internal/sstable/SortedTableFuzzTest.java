// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any bytes of a table whose checksums are right: properties, root index, filter index and the
 * blocks that they name are read in order or refused.
 */
class SortedTableFuzzTest {
  private static final int ROW = 16;

  static Stream<byte[]> sound() throws IOException {
    List<byte[]> inputs = new ArrayList<>();
    for (Compression compression : Compression.values()) {
      for (BloomKind bloom : BloomKind.values()) {
        BytesStorage storage = new BytesStorage();
        Tables.write(storage, Tables.options(256, compression, bloom), Tables.grid(ROW, 2, 3));
        inputs.add(storage.bytes(Tables.NAME));
      }
    }
    return inputs.stream();
  }

  @MethodSource("sound")
  @FuzzTest(maxDuration = "2m")
  void isReadOrRefused(byte[] bytes) throws IOException {
    BytesStorage storage = new BytesStorage();
    storage.setBytes(Tables.NAME, withChecksums(bytes));
    try {
      SortedTable table = Tables.open(storage);
      try {
        ByteBuffer key = Tables.startOfRow("row0000003");
        table.mayContainRow(key, 0);
        table.mayContainColumn(key, 0);
        Tables.readAll(table);
      } finally {
        table.release();
      }
    } catch (CorruptionException | FormatVersionException refused) {
      assertThat(storage.openReaders()).isZero();
    }
  }

  /**
   * Returns a table whose footer is valid and whose blocks have the checksums of what they hold, as
   * far as handles lead to them.
   */
  static byte[] withChecksums(byte[] bytes) {
    byte[] table = bytes.clone();
    int blocksEnd = table.length - SortedTableFooter.BYTES;
    if (blocksEnd < 0) {
      return table;
    }
    byte[] old = Arrays.copyOfRange(table, blocksEnd, table.length);
    List<BlockHandle> named = new ArrayList<>();
    for (int at = 0; at < 36; at += 12) {
      named.add(BlockHandle.read(old, at));
    }
    SortedTableFooter footer =
        new SortedTableFooter(
            named.get(0), named.get(1), named.get(2), Tables.NUMBER, table.length, 1);
    for (int depth = 0; depth < 3; depth++) {
      List<BlockHandle> deeper = new ArrayList<>();
      for (BlockHandle handle : named) {
        seal(table, handle, blocksEnd);
        deeper.addAll(handlesIn(table, handle, blocksEnd));
      }
      named = deeper;
    }
    System.arraycopy(footer.toBytes(), 0, table, blocksEnd, SortedTableFooter.BYTES);
    return table;
  }

  private static boolean fits(BlockHandle handle, int blocksEnd) {
    return handle.offset() >= 0
        && handle.length() >= 0
        && handle.offset() <= blocksEnd
        && handle.length() <= blocksEnd - handle.offset() - SortedTableFormat.BLOCK_TRAILER_BYTES;
  }

  private static void seal(byte[] table, BlockHandle handle, int blocksEnd) {
    if (fits(handle, blocksEnd)) {
      int start = (int) handle.offset();
      int crcAt = start + handle.length() + SortedTableFormat.BLOCK_TRAILER_BYTES - Integer.BYTES;
      byte[] covered = Arrays.copyOfRange(table, start, crcAt);
      int crc = SortedTableFormat.maskedCrc(covered, covered.length);
      ByteBuffer.wrap(table).putInt(crcAt, crc);
    }
  }

  private static List<BlockHandle> handlesIn(byte[] table, BlockHandle handle, int blocksEnd) {
    List<BlockHandle> handles = new ArrayList<>();
    if (fits(handle, blocksEnd)) {
      int start = (int) handle.offset();
      byte[] payload = Arrays.copyOfRange(table, start, start + handle.length());
      try {
        IndexBlock index = new IndexBlock(BlockFuzzTest.block(payload));
        for (int entry = 0; entry < Math.min(64, index.count()); entry++) {
          handles.add(index.handle(entry));
        }
      } catch (CorruptionException noIndex) {
        return handles;
      }
    }
    return handles;
  }
}
