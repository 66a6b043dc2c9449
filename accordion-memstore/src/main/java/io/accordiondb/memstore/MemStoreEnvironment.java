// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.retention.Readers;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The services that a host provides to its memory stores. Several stores may share one environment.
 *
 * @param executor runs flattening, merges and compactions; a direct executor makes a memory store
 *     single-threaded
 * @param clockMillis the clock for times to live, in milliseconds since 1970
 * @param readers tells which cells some reader may still need
 * @param random decides when ADAPTIVE compacts; thread-safe
 * @param pool where chunks come from
 * @param budget the memory that all memory stores may use together
 * @param listener receives the events of the stores
 */
public record MemStoreEnvironment(
    Executor executor,
    LongSupplier clockMillis,
    Readers readers,
    RandomGenerator random,
    ChunkPool pool,
    MemoryBudget budget,
    MemStoreListener listener) {

  /**
   * {@return a copy with another listener, for hosts that distinguish their memory stores}
   *
   * @param other the listener of the copy
   */
  public MemStoreEnvironment withListener(MemStoreListener other) {
    return new MemStoreEnvironment(executor, clockMillis, readers, random, pool, budget, other);
  }

  MemoryAccount openAccount() {
    return new MemoryAccount(budget);
  }
}
