// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.engine.EngineOptions;
import io.accordiondb.bench.engine.EngineProvider;
import java.io.IOException;

/** Opens HBase's engines by their {@link EngineName}. */
public final class HBaseEngines implements EngineProvider {
  /** Four times the flush size in memory stores, and one more of what is being flushed. */
  static final int MEMORY_MULTIPLE = 5;

  /** Heap for everything but memory stores and blocks. */
  private static final long REGIONS_HEAP_BYTES = 512L << 20;

  /** The same where HDFS, ZooKeeper, a master and the client live in the process, too. */
  private static final long CLUSTER_HEAP_BYTES = 1024L << 20;

  /** The same where only the client lives in the process. */
  private static final long CLIENT_HEAP_BYTES = 512L << 20;

  /** Creates the provider; to be found as a service. */
  public HBaseEngines() {}

  @Override
  public boolean provides(String name) {
    return name.startsWith(EngineName.PREFIX);
  }

  @Override
  public Engine open(String name, EngineOptions options) throws IOException {
    EngineName parsed = EngineName.of(name);
    if (parsed.isCluster()) {
      return new ClusterEngine(parsed, options);
    }
    return parsed.usesClient()
        ? new ClientEngine(parsed, options)
        : new RegionEngine(parsed, options);
  }

  /** Counts HBase's own stores, which take writes up to four times their flush size. */
  @Override
  public long heapBytes(String name, long memoryBytes, long cacheBytes) {
    EngineName parsed = EngineName.of(name);
    if (parsed.isCluster()) {
      return CLIENT_HEAP_BYTES;
    }
    return MEMORY_MULTIPLE * memoryBytes
        + cacheBytes
        + (parsed.usesClient() ? CLUSTER_HEAP_BYTES : REGIONS_HEAP_BYTES);
  }
}
