// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.flat;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.Arena;
import io.accordiondb.memstore.segment.SegmentFixture;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PrefixFilterTest {
  private static final int PREFIXES = 100_000;

  private final SegmentFixture memory = new SegmentFixture();

  @Test
  void whatWasAddedIsThereAndLittleElse() {
    check(new SplittableRandom(1).longs(2L * PREFIXES).toArray());
  }

  @Test
  void numbersInAscendingOrderAreToldApartAsWell() {
    check(LongStream.range(0, 2L * PREFIXES).map(number -> number << 1).toArray());
  }

  @Test
  void digitsInTextAreToldApartAsWell() {
    check(LongStream.range(0, 2L * PREFIXES).map(PrefixFilterTest::digits).toArray());
  }

  private static long digits(long number) {
    long bits = 0;
    for (long rest = number, i = 0; i < 8; i++, rest /= 10) {
      bits |= ('0' + rest % 10) << (8 * i);
    }
    return bits & ~1L;
  }

  /** Adds the first half of the prefixes. */
  private void check(long[] prefixes) {
    Arena arena = memory.as(SegmentFixture.HEAP).newArena();
    PrefixFilter filter = newFilter(arena);
    assertThat(arena.bytes() * 8).isLessThan(PREFIXES * 16L);
    for (int i = 0; i < PREFIXES; i++) {
      filter.add(prefixes[i]);
    }
    int wrong = 0;
    for (int i = 0; i < PREFIXES; i++) {
      assertThat(filter.mayContain(prefixes[i])).isTrue();
      if (filter.mayContain(prefixes[PREFIXES + i])) {
        wrong++;
      }
    }
    // One in 80 at ten bits a prefix, and it has a few more.
    assertThat(wrong).isLessThan(PREFIXES / 40);
    arena.release();
    memory.assertAllGivenBack();
  }

  /** The filter shares its first chunk with something else. */
  private PrefixFilter newFilter(Arena arena) {
    int chunkBytes = memory.pool.chunkBytes();
    ByteBuffer tail = arena.buffer(arena.allocateChunk());
    return new PrefixFilter(tail, chunkBytes / 2 + 4, arena, chunkBytes, PREFIXES);
  }

  @Test
  void chunksThatWereUsedBeforeBeginEmpty() {
    check(new SplittableRandom(2).longs(2L * PREFIXES).toArray());
    Arena arena = memory.as(SegmentFixture.HEAP).newArena();
    PrefixFilter filter = newFilter(arena);
    assertThat(new SplittableRandom(2).longs(PREFIXES).noneMatch(filter::mayContain)).isTrue();
    arena.release();
  }

  @Test
  void paysWherePrefixesAreManyAndTellColumnsApart() {
    assertThat(PrefixFilter.pays(100_000, 100_000)).isTrue();
    assertThat(PrefixFilter.pays(100_000, 400_000)).isTrue();
    assertThat(PrefixFilter.pays(100_000, 10_000_000)).isFalse();
    assertThat(PrefixFilter.pays(100, 100)).isFalse();
  }
}
