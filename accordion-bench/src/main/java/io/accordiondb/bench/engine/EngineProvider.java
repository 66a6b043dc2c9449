// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import java.io.IOException;

/** The service by which another module provides engines that the benchmarks do not know. */
public interface EngineProvider {
  /** Returns whether an engine's name is one of this provider's. */
  boolean provides(String name);

  /**
   * Opens an engine.
   *
   * @throws IllegalArgumentException if there is none of this name; the message says which are
   * @throws IOException if it cannot be opened
   */
  Engine open(String name, EngineOptions options) throws IOException;

  /**
   * Returns the bytes of Java heap in which an engine has room.
   *
   * @param memoryBytes memory for writes
   * @param cacheBytes memory for blocks read
   */
  long heapBytes(String name, long memoryBytes, long cacheBytes);
}
