// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import io.accordiondb.Durability;
import io.accordiondb.memstore.MemStorePolicy;
import java.nio.file.Path;

/**
 * The options of every engine.
 *
 * @param directory the folder of the store
 * @param fields fields of a row
 * @param memoryBytes memory for writes
 * @param cacheBytes memory for blocks read
 * @param durability the guarantee of a write when it returns
 * @param policy policy of the memory stores, for engines that have one
 * @param counters whether values are counters, which the store's merge operator adds to
 */
public record EngineOptions(
    Path directory,
    int fields,
    long memoryBytes,
    long cacheBytes,
    Durability durability,
    MemStorePolicy policy,
    boolean counters) {

  /** Creates options of a store whose values are any bytes. */
  public EngineOptions(
      Path directory,
      int fields,
      long memoryBytes,
      long cacheBytes,
      Durability durability,
      MemStorePolicy policy) {
    this(directory, fields, memoryBytes, cacheBytes, durability, policy, false);
  }

  /** Returns these options for a store whose values are counters. */
  public EngineOptions withCounters() {
    return new EngineOptions(directory, fields, memoryBytes, cacheBytes, durability, policy, true);
  }

  /** Returns these options for a store in another folder. */
  public EngineOptions withDirectory(Path other) {
    return new EngineOptions(other, fields, memoryBytes, cacheBytes, durability, policy, counters);
  }
}
