// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * The block cache.
 *
 * @param usedBytes bytes in use: blocks of data, indices and filters, roots of open tables, and the
 *     share that is set aside for columns read often
 * @param budgetBytes bytes that may be used; 0 if the cache is off
 * @param byKind what was looked up, by kind of block; has all kinds
 */
public record CacheStatistics(long usedBytes, long budgetBytes, Map<BlockKind, Lookups> byKind) {
  /**
   * Lookups of one kind since the database was opened, without those of compactions.
   *
   * @param hits found in the cache
   * @param misses not found, and read from files
   */
  public record Lookups(long hits, long misses) {
    static final Lookups NONE = new Lookups(0, 0);

    /** {@return the share of hits, 0 to 1; 0 before the first lookup} */
    public double hitRatio() {
      long all = hits + misses;
      return all == 0 ? 0 : (double) hits / all;
    }
  }

  /**
   * Copies the collections, so that the record is immutable.
   *
   * @param usedBytes bytes in use
   * @param budgetBytes bytes that may be used; 0 if the cache is off
   * @param byKind the lookups by kind of block
   */
  public CacheStatistics {
    Map<BlockKind, Lookups> all = new EnumMap<>(BlockKind.class);
    for (BlockKind kind : BlockKind.values()) {
      all.put(kind, byKind.getOrDefault(kind, Lookups.NONE));
    }
    byKind = Collections.unmodifiableMap(all);
  }

  /**
   * {@return the lookups of one kind}
   *
   * @param kind the kind of block
   */
  public Lookups of(BlockKind kind) {
    return Objects.requireNonNull(byKind.get(kind));
  }

  /** {@return the lookups of blocks, whatever they hold; without those of single columns} */
  public Lookups blocks() {
    long hits = 0;
    long misses = 0;
    for (Map.Entry<BlockKind, Lookups> entry : byKind.entrySet()) {
      if (entry.getKey() != BlockKind.COLUMN) {
        hits += entry.getValue().hits();
        misses += entry.getValue().misses();
      }
    }
    return new Lookups(hits, misses);
  }

  /** {@return the share of block reads that the cache has answered, 0 to 1; 0 before the first} */
  public double hitRatio() {
    return blocks().hitRatio();
  }
}
