// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.memstore.MemStorePolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The options of memory and of writes. A group of {@link DatabaseOptions.Builder}, which inherits
 * all groups: each option is described, kept and checked here. Not thread-safe.
 */
abstract class WriteSettings<B extends WriteSettings<B>> {
  long memoryBytes = Math.min(512 * OptionBounds.MIB, Runtime.getRuntime().maxMemory() / 4);
  long storeFlushBytes;
  MemStorePolicy memStorePolicy = MemStorePolicy.DEFAULT;
  Durability durability = Durability.SYNC;
  int rowBytesMax = KeyValueLayout.ROW_BYTES_MAX;
  int valueBytesMax = (int) (10 * OptionBounds.MIB);

  /** 0 for the default, which depends on {@link #memoryBytes}. */
  int batchBytesMax;

  Duration stallMax = Duration.ofMinutes(1);

  WriteSettings() {}

  /** Returns this builder. */
  abstract B self();

  /**
   * Sets the budget of all memory stores together, in bytes; by default a quarter of the heap's
   * maximum, at most 512 MiB. From 1 MiB to 200 GiB. This memory is direct memory, beside the heap:
   * together with {@link DatabaseOptions.Builder#blockCacheBytes} it must fit into {@code
   * -XX:MaxDirectMemorySize}, which is as large as the heap's maximum unless it is set.
   *
   * <p>Opening the database fails if the process cannot have that much memory: with the default
   * layout, if the budget is larger than direct memory and does not fit into the heap either. If
   * direct memory runs out later, because other parts of the process use it, the database lowers
   * its budget to what it has obtained and an eighth of the heap, and flushes earlier.
   *
   * @param bytes the budget in bytes, 1 MiB to 200 GiB
   * @return this builder
   */
  public B memoryBytes(long bytes) {
    memoryBytes =
        OptionBounds.checked("memoryBytes", bytes, OptionBounds.MIB, ChunkPool.CAP_BYTES_MAX);
    return self();
  }

  /**
   * Sets the memory at which a single store is flushed; 0, the default, for its share of the
   * budget.
   *
   * @param bytes the size in bytes, 0 or more
   * @return this builder
   */
  public B storeFlushBytes(long bytes) {
    storeFlushBytes = OptionBounds.checked("storeFlushBytes", bytes, 0, Long.MAX_VALUE);
    return self();
  }

  /**
   * Sets the memory store's policy of families that name none; ADAPTIVE by default.
   *
   * @param policy the policy of families that name none
   * @return this builder
   */
  public B memStorePolicy(MemStorePolicy policy) {
    memStorePolicy = Objects.requireNonNull(policy, "policy");
    return self();
  }

  /** Changes the policy of families that name none. */
  void changePolicy(UnaryOperator<MemStorePolicy> change) {
    memStorePolicy = change.apply(memStorePolicy);
  }

  /**
   * Sets the durability of writes that name none; {@link Durability#SYNC} by default.
   *
   * @param durability the durability of writes that name none
   * @return this builder
   */
  public B durability(Durability durability) {
    this.durability = Objects.requireNonNull(durability, "durability");
    return self();
  }

  /**
   * Sets the length of the longest row or key that may be written; 32,767 bytes, which is also the
   * maximum, by default.
   *
   * @param bytes the length in bytes, 1 to 32,767
   * @return this builder
   */
  public B rowBytesMax(int bytes) {
    rowBytesMax = (int) OptionBounds.checked("rowBytesMax", bytes, 1, KeyValueLayout.ROW_BYTES_MAX);
    return self();
  }

  /**
   * Sets the length of the largest value that may be written; 10 MiB by default, at most 128 MiB.
   *
   * @param bytes the length in bytes, 1 to 128 MiB
   * @return this builder
   */
  public B valueBytesMax(int bytes) {
    valueBytesMax = (int) OptionBounds.checked("valueBytesMax", bytes, 1, 128 * OptionBounds.MIB);
    return self();
  }

  /**
   * Sets the size of the largest batch or transaction that may be written; at most 192 MiB, and by
   * default 64 MiB or three quarters of the memory if that is less. A batch must fit into memory:
   * {@link DatabaseOptions.Builder#build} refuses a limit that is not below {@link #memoryBytes}. A
   * larger batch is refused at once.
   *
   * @param bytes the size in bytes, 1 KiB to 192 MiB
   * @return this builder
   */
  public B batchBytesMax(int bytes) {
    batchBytesMax =
        (int) OptionBounds.checked("batchBytesMax", bytes, 1 << 10, 192 * OptionBounds.MIB);
    return self();
  }

  /**
   * Sets how long a write waits for flushes and compactions before it fails with a {@link
   * WriteStalledException}; a minute by default. A large write, of a 256th of the heap and of 64
   * KiB or more, may wait as long before that, and a second at least, for other such writes, which
   * together hold at most a sixteenth of the heap.
   *
   * @param limit the longest wait, 0 to 24 hours
   * @return this builder
   */
  public B stallMax(Duration limit) {
    stallMax =
        Duration.ofMillis(
            OptionBounds.checked("stallMax in ms", OptionBounds.millisOf(limit), 0, 86_400_000));
    return self();
  }
}
