// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import io.accordiondb.Durability;
import io.accordiondb.memstore.MemStorePolicy;
import java.nio.file.Path;

/**
 * What every engine is told.
 *
 * @param directory where the store lies
 * @param fields fields of a row
 * @param memoryBytes memory for writes
 * @param cacheBytes memory for blocks read
 * @param durability what has become of a write when it returns
 * @param policy memory policy, for those that have one
 */
public record EngineOptions(
    Path directory,
    int fields,
    long memoryBytes,
    long cacheBytes,
    Durability durability,
    MemStorePolicy policy) {

  /** Returns these options for a store that lies elsewhere. */
  public EngineOptions withDirectory(Path other) {
    return new EngineOptions(other, fields, memoryBytes, cacheBytes, durability, policy);
  }
}
