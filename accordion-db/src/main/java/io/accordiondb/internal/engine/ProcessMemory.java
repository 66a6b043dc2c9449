// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.CellMemory;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory that this process may use, and a check that the options of a database fit into it.
 * Options that cannot fit are refused at once, because a process that runs out of memory later
 * fails in the middle of a write.
 *
 * @param heapBytes maximum size of the heap, in bytes
 * @param directBytes supplies the maximum size of direct memory, in bytes; called only if it
 *     matters
 */
record ProcessMemory(long heapBytes, LongSupplier directBytes) {
  /** One part in this many of the heap is left to uses other than memory stores and caches. */
  private static final int HEAP_SPARE = 8;

  private static final String DIRECT_MEMORY_FLAG = "MaxDirectMemorySize";

  /** Returns the memory of this process. */
  static ProcessMemory ofThisProcess() {
    return new ProcessMemory(Runtime.getRuntime().maxMemory(), ProcessMemory::maxDirectBytes);
  }

  /**
   * Checks that memory stores and caches fit into the process. It does not consider other databases
   * of the process: if several together need more direct memory than there is, each continues with
   * what it has obtained.
   *
   * @throws IllegalArgumentException if they do not fit; the message names the JVM flags that would
   *     help
   */
  void check(DatabaseOptions options) {
    long heapUsable = heapBytes - heapBytes / HEAP_SPARE;
    long memory = options.memoryBytes();
    long cache = options.blockCacheBytes();
    if (cache <= heapUsable - memory) {
      // By default a process has as much direct memory as heap. With less direct memory, chunks are
      // on the heap and the cache stays small.
      return;
    }
    long direct = directBytes.getAsLong();
    if (cache > direct) {
      throw new IllegalArgumentException(
          "blockCacheBytes is "
              + cache
              + ", but the process may use only "
              + direct
              + " bytes of direct memory: lower blockCacheBytes or raise -XX:"
              + DIRECT_MEMORY_FLAG);
    }
    if (memory <= heapUsable) {
      return;
    }
    if (!isOffHeap(options)) {
      throw new IllegalArgumentException(
          "memoryBytes is "
              + memory
              + ", on the heap, but of its "
              + heapBytes
              + " bytes only "
              + heapUsable
              + " may be used: lower memoryBytes or raise -Xmx");
    }
    if (memory > direct - cache) {
      throw new IllegalArgumentException(
          "memoryBytes is "
              + memory
              + " and blockCacheBytes "
              + cache
              + ", but the process may use only "
              + direct
              + " bytes of direct memory, and the heap of "
              + heapBytes
              + " bytes has no room for memoryBytes either: lower them or raise -XX:"
              + DIRECT_MEMORY_FLAG);
    }
  }

  private static boolean isOffHeap(DatabaseOptions options) {
    return options.experiment().segmentLayout().cells() == CellMemory.OFF_HEAP_CHUNKS
        && options.memStorePolicy().kind() != Policy.NONE;
  }

  private static long maxDirectBytes() {
    long set = 0;
    try {
      HotSpotDiagnosticMXBean hotSpot =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      set = valueOf(hotSpot);
    } catch (IllegalArgumentException e) {
      // Another JVM may not have this flag.
    }
    return set > 0 ? set : Runtime.getRuntime().maxMemory();
  }

  private static long valueOf(@Nullable HotSpotDiagnosticMXBean hotSpot) {
    return hotSpot == null ? 0 : Long.parseLong(hotSpot.getVMOption(DIRECT_MEMORY_FLAG).getValue());
  }
}
