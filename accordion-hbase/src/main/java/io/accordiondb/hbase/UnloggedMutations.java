// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import java.lang.reflect.Field;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces a region's own count of mutations that the log lacks, and never forgets one. HBase
 * counts such a mutation before it reaches memory, and resets its count whenever a flush is
 * requested: also a flush of other families, a flush that is then refused, and a flush beside the
 * mutation. The inherited value is HBase's count. Thread-safe.
 */
final class UnloggedMutations extends LongAdder {
  private static final Logger LOG = LoggerFactory.getLogger(UnloggedMutations.class);
  private static final long serialVersionUID = 1;

  private final LongAdder total = new LongAdder();

  private UnloggedMutations() {}

  /**
   * Returns the count of a region, which takes its place with the first call, before the first
   * mutation; null if HBase's count cannot be reached.
   */
  static synchronized @Nullable UnloggedMutations of(HRegion region) {
    try {
      Field field = HRegion.class.getDeclaredField("numMutationsWithoutWAL");
      field.setAccessible(true);
      if (field.get(region) instanceof UnloggedMutations present) {
        return present;
      }
      UnloggedMutations count = new UnloggedMutations();
      field.set(region, count);
      return count;
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn(
          "{}: mutations without a log cannot be counted, so no log file is released early",
          region,
          e);
      return null;
    }
  }

  @Override
  public void add(long mutations) {
    total.add(mutations);
    super.add(mutations);
  }

  /** Counts one. The inherited method may call {@link #add}, or not. */
  @Override
  public void increment() {
    add(1);
  }

  /** Counts one that HBase does not count. */
  void noteUncounted() {
    total.increment();
  }

  /** Returns how many there have been since the region was opened. */
  long total() {
    return total.sum();
  }
}
