// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.accordiondb.encoding.CellTags;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any payload of a log's record is read as a batch, wholly, or refused before any of it is. */
class BatchFuzzTest {
  /** One cell of one store, and the same thing as a compressed batch would begin. */
  static Stream<byte[]> sound() {
    byte[] cell = {0, 0, 0, 14, 0, 0, 0, 1, 0, 1, 'r', 0, 'q', 0, 0, 0, 0, 0, 0, 0, 1, 4, 'v'};
    ByteBuffer batch =
        ByteBuffer.allocate(BatchLayout.GROUP_COUNT_BYTES + BatchLayout.GROUP_HEADER_BYTES + 23);
    int group = BatchLayout.GROUP_COUNT_BYTES;
    batch.putInt(0, 1);
    batch.putLong(group + BatchLayout.REGION_OFFSET, 5);
    batch.putInt(group + BatchLayout.FAMILY_OFFSET, 6);
    batch.putInt(group + BatchLayout.CELLS_OFFSET, 1);
    batch.putInt(group + BatchLayout.BYTES_OFFSET, cell.length);
    batch.put(group + BatchLayout.GROUP_HEADER_BYTES, cell);
    return Stream.of(batch.array(), tagged(cell), new byte[] {-1, -1, -1, -2, 0x1F, 'a', 1, 0, 0});
  }

  /** Returns a batch of one cell with a time to live. */
  private static byte[] tagged(byte[] cell) {
    int group = BatchLayout.GROUP_COUNT_BYTES;
    int cellAt = group + BatchLayout.GROUP_HEADER_BYTES;
    ByteBuffer batch = ByteBuffer.allocate(cellAt + cell.length + CellTags.TTL_BYTES);
    batch.putInt(0, 1);
    batch.putInt(group + BatchLayout.CELLS_OFFSET, 1 | BatchLayout.TAGGED);
    batch.putInt(group + BatchLayout.BYTES_OFFSET, cell.length + CellTags.TTL_BYTES);
    batch.put(cellAt, cell);
    CellTags.write(batch, cellAt + cell.length, CellTags.ofTtl(7));
    return batch.array();
  }

  @MethodSource("sound")
  @FuzzTest(maxDuration = "1m")
  void isReadOrRefused(byte[] bytes) {
    for (int cells = 0; cells < 4; cells++) {
      int read = 0;
      try {
        for (LoggedGroup group : BatchReader.read(ByteBuffer.wrap(bytes), 1, cells)) {
          assertThat(group.firstSequence()).isEqualTo(1 + read);
          read += group.cellCount();
        }
        assertThat(read).isEqualTo(cells);
      } catch (MalformedBatchException refused) {
        assertThat(read).isZero();
      }
    }
  }
}
