// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import org.junit.jupiter.api.Test;

/** Which options fit into a process. */
class ProcessMemoryTest {
  private static final long MIB = 1 << 20;
  private static final ProcessMemory MEMORY = new ProcessMemory(128 * MIB, () -> 256 * MIB);

  private static DatabaseOptions.Builder options(long memoryMib, long cacheMib) {
    return DatabaseOptions.builder().memoryBytes(memoryMib * MIB).blockCacheBytes(cacheMib * MIB);
  }

  private static DatabaseOptions.Builder onHeap(long memoryMib, long cacheMib) {
    return options(memoryMib, cacheMib)
        .experiment(
            e -> e.withSegmentLayout(SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.CHUNK)));
  }

  private static void accepts(DatabaseOptions.Builder options) {
    assertThatNoException().isThrownBy(() -> MEMORY.check(options.build()));
  }

  private static void refuses(DatabaseOptions.Builder options, String... texts) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MEMORY.check(options.build()))
        .withMessageContainingAll(texts);
  }

  @Test
  void theDefaultsFitIntoEveryProcess() {
    assertThatNoException()
        .isThrownBy(() -> ProcessMemory.ofThisProcess().check(DatabaseOptions.defaults()));
  }

  @Test
  void memoryOutsideTheHeapIsBoundedByDirectMemory() {
    accepts(options(192, 64));
    refuses(
        options(193, 64),
        String.valueOf(193 * MIB),
        "" + 64 * MIB,
        "" + 256 * MIB,
        "-XX:MaxDirectMemorySize");
    accepts(options(112, 256));
  }

  @Test
  void whatWouldFitOnTheHeapIsNeverRefused() {
    ProcessMemory scarce = new ProcessMemory(128 * MIB, () -> 1);
    assertThatNoException().isThrownBy(() -> scarce.check(options(64, 48).build()));
    assertThatIllegalArgumentException().isThrownBy(() -> scarce.check(options(64, 49).build()));
  }

  @Test
  void memoryOnTheHeapIsBoundedByTheHeap() {
    accepts(onHeap(112, 200));
    refuses(onHeap(113, 16), String.valueOf(113 * MIB), "" + 128 * MIB, "-Xmx");
    refuses(options(113, 16).memStorePolicy(MemStorePolicy.of(Policy.NONE)), "-Xmx");
  }

  @Test
  void theBlockCacheIsBoundedByDirectMemory() {
    accepts(options(100, 256));
    refuses(
        options(1, 257), "blockCacheBytes", "" + 257 * MIB, "" + 256 * MIB, "MaxDirectMemorySize");
    refuses(DatabaseOptions.builder().blockCacheBytes(Long.MAX_VALUE), "blockCacheBytes");
  }
}
