// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.flat;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.memstore.segment.KeyPrefix;
import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

class FencePointersTest {
  private static final int ENTRIES_PER_CHUNK = 2 * FencePointers.STEP;

  @Property(tries = 300)
  void countsTheFencesBelow(@ForAll @Size(min = 1, max = 300) long[] prefixes, @ForAll long other) {
    long[] sorted =
        Arrays.stream(prefixes)
            .map(KeyPrefix::shortened)
            .boxed()
            .sorted(Long::compareUnsigned)
            .mapToLong(Long::longValue)
            .toArray();
    MemoryAccount account = new MemoryAccount(new MemoryBudget(1 << 20));
    FencePointers fences =
        new FencePointers(account, index(sorted), ENTRIES_PER_CHUNK, sorted.length);
    assertThat(account.usedBytes()).isEqualTo(fences.bytes());

    check(fences, sorted, other);
    check(fences, sorted, 0);
    check(fences, sorted, -1);
    for (long prefix : sorted) {
      check(fences, sorted, prefix);
      check(fences, sorted, prefix + 1);
    }
    fences.giveBack();
    assertThat(account.usedBytes()).isZero();
  }

  private static void check(FencePointers fences, long[] sorted, long prefix) {
    int below = 0;
    for (int i = 0; i < sorted.length; i += FencePointers.STEP) {
      below += Long.compareUnsigned(sorted[i], prefix) < 0 ? 1 : 0;
    }
    assertThat(fences.countBelow(prefix)).isEqualTo(below);
  }

  private static ByteBuffer[] index(long[] sorted) {
    ByteBuffer[] index = new ByteBuffer[(sorted.length - 1) / ENTRIES_PER_CHUNK + 1];
    for (int i = 0; i < sorted.length; i++) {
      int at = i % ENTRIES_PER_CHUNK;
      if (at == 0) {
        index[i / ENTRIES_PER_CHUNK] =
            ByteBuffer.allocate(ENTRIES_PER_CHUNK * FlatIndexLayout.ENTRY_BYTES);
      }
      FlatIndexLayout.write(
          index[i / ENTRIES_PER_CHUNK], at * FlatIndexLayout.ENTRY_BYTES, sorted[i], false, i);
    }
    return index;
  }
}
