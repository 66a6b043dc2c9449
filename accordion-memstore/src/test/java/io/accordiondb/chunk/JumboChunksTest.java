// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class JumboChunksTest {
  @Property(tries = 500)
  void aSizeIsAtMostAnEighthLargerThanWhatItIsFor(
      @ForAll @IntRange(min = ChunkPool.CHUNK_BYTES_MIN + 1, max = Integer.MAX_VALUE) int bytes) {
    int capacity = JumboChunks.capacity(bytes);
    assertThat(capacity).isGreaterThanOrEqualTo(bytes);
    assertThat((long) capacity - bytes).isLessThanOrEqualTo(bytes / 8);
    assertThat(JumboChunks.capacity(capacity)).isEqualTo(capacity);
    if (capacity < Integer.MAX_VALUE) {
      assertThat(JumboChunks.capacity(capacity + 1)).isGreaterThan(capacity);
    }
  }

  /** A step makes a buffer, gives one back, takes one or forgets one. */
  @Property(tries = 500)
  void whatWaitsIsTakenBySize(
      @ForAll @Size(max = 200) List<@IntRange(max = 1 << 16) Integer> steps) {
    JumboChunks chunks = new JumboChunks();
    List<ByteBuffer> free = new ArrayList<>();
    for (int step : steps) {
      int capacity = JumboChunks.capacity(ChunkPool.CHUNK_BYTES_MIN + 1 + (step >>> 2));
      switch (step & 3) {
        case 0, 1 -> {
          chunks.reserve(capacity);
          ByteBuffer made = ByteBuffer.allocate(capacity);
          chunks.push(made);
          free.add(made);
        }
        case 2 -> take(chunks, capacity, (step & 4) == 0, free);
        default -> {
          int smallest = free.stream().mapToInt(ByteBuffer::capacity).min().orElse(0);
          assertThat(chunks.forget()).isEqualTo(smallest);
          forgetNewest(smallest, free);
        }
      }
      assertThat(chunks.bytes()).isEqualTo(free.stream().mapToLong(ByteBuffer::capacity).sum());
    }
  }

  private static void forgetNewest(int capacity, List<ByteBuffer> free) {
    for (int i = free.size() - 1; i >= 0; i--) {
      if (free.get(i).capacity() == capacity) {
        free.remove(i);
        return;
      }
    }
  }

  private static void take(JumboChunks chunks, int capacity, boolean exact, List<ByteBuffer> free) {
    int most = exact ? capacity : 2 * capacity;
    ByteBuffer expected =
        free.stream()
            .filter(buffer -> buffer.capacity() >= capacity && buffer.capacity() <= most)
            .min(Comparator.comparingInt(ByteBuffer::capacity))
            .orElse(null);
    ByteBuffer taken = chunks.take(capacity, exact);
    if (expected == null) {
      assertThat(taken).isNull();
    } else {
      assertThat(taken.capacity()).isEqualTo(expected.capacity());
      assertThat(free.removeIf(buffer -> buffer == taken)).as("nobody has it").isTrue();
    }
  }

  @Example
  void aBufferForWhichNoRoomWasMadeIsRefused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new JumboChunks().push(ByteBuffer.allocate(8192)))
        .withMessageContaining("8192");
  }
}
