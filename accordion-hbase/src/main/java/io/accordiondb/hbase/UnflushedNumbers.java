// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import java.lang.reflect.Field;
import java.util.Map;
import org.apache.hadoop.hbase.regionserver.wal.AbstractFSWAL;
import org.apache.hadoop.hbase.util.ImmutableByteArray;
import org.apache.hadoop.hbase.wal.WAL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's account of the lowest sequence number that a log must keep, for each family of each
 * region. Thread-safe.
 *
 * <p>{@link WAL#updateStore} also changes the account of the highest number in the present file,
 * which belongs to the thread that writes the log. A count that gets lower or is lost lets HBase
 * delete a file that is still needed, so this is used for logs of other kinds only.
 */
@FunctionalInterface
interface UnflushedNumbers {
  /**
   * Raises the number of a family, if it has a lower one.
   *
   * @param region the array that HBase uses as the region's name
   */
  void raise(byte[] region, byte[] family, long sequence);

  /** Returns the account of a log; null if it cannot be reached. */
  static @Nullable UnflushedNumbers of(WAL log) {
    if (!(log instanceof AbstractFSWAL)) {
      return (region, family, sequence) -> log.updateStore(region, family, sequence, true);
    }
    Map<byte[], Map<ImmutableByteArray, Long>> lowest;
    try {
      lowest = lowest(log);
    } catch (ReflectiveOperationException | RuntimeException e) {
      Logger logger = LoggerFactory.getLogger(UnflushedNumbers.class);
      logger.warn("{}: its account cannot be reached, so no file is released early", log, e);
      return null;
    }
    return (region, family, sequence) -> {
      Map<ImmutableByteArray, Long> families = lowest.get(region);
      if (families != null) {
        families.computeIfPresent(
            ImmutableByteArray.wrap(family), (name, before) -> Math.max(before, sequence));
      }
    };
  }

  /** Returns the concurrent maps of a log. HBase knows a region by its very array. */
  @SuppressWarnings("unchecked")
  private static Map<byte[], Map<ImmutableByteArray, Long>> lowest(WAL log)
      throws ReflectiveOperationException {
    Object accounting = valueOf(AbstractFSWAL.class, "sequenceIdAccounting", log);
    return (Map<byte[], Map<ImmutableByteArray, Long>>)
        valueOf(accounting.getClass(), "lowestUnflushedSequenceIds", accounting);
  }

  private static Object valueOf(Class<?> declaring, String name, Object holder)
      throws ReflectiveOperationException {
    Field field = declaring.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(holder);
  }
}
