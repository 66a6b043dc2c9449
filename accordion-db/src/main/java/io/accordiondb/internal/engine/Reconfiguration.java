// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.internal.read.ColumnCache;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Changes options of an open database. Most parts read an option whenever they need it; this class
 * notifies those that hold memory or threads.
 */
final class Reconfiguration {
  private Reconfiguration() {}

  /** Applies the change as a whole, or changes nothing if it is refused. */
  static void apply(EngineParts parts, UnaryOperator<DatabaseOptions.Builder> change)
      throws IOException {
    if (parts.options().changeLock().isHeldByCurrentThread()) {
      throw new IllegalStateException("options are changed within a change of options");
    }
    parts.options().changeLock().lock();
    try {
      DatabaseOptions before = parts.options().get();
      DatabaseOptions after =
          Objects.requireNonNull(change.apply(before.toBuilder()), "builder").build();
      check(parts, before, after);
      parts.options().set(after);
      parts.telemetry().reconfigure(after);
      if (before.memoryBytes() != after.memoryBytes()) {
        parts.pool().setCap(after.memoryBytes());
        parts.budget().resize(after.memoryBytes());
      }
      if (before.blockCacheBytes() != after.blockCacheBytes()) {
        resizeCaches(parts, before.blockCacheBytes(), after.blockCacheBytes());
      }
      parts.threads().resize(after.flushThreads(), after.compactionThreads());
      parts.catalog().reconfigureStores();
      if (!after.readOnly()) {
        parts.catalog().whileUnchanged(() -> keepNames(parts));
        parts.flushes().flushIfMemoryIsShort();
      }
    } finally {
      parts.options().changeLock().unlock();
    }
  }

  /**
   * Saves the names of tables if the log is kept from now on. Closing the database waits for the
   * caller's lock; once it is closed, its folder may have another owner, with other names.
   */
  private static boolean keepNames(EngineParts parts) {
    parts.tables().checkOpen();
    parts.feeds().keepNames();
    return true;
  }

  private static void check(EngineParts parts, DatabaseOptions before, DatabaseOptions after) {
    List<String> refused =
        fixed().entrySet().stream()
            .filter(
                option -> !option.getValue().apply(before).equals(option.getValue().apply(after)))
            .map(Entry::getKey)
            .toList();
    if (!refused.isEmpty()) {
      throw new IllegalArgumentException(
          String.join(", ", refused) + " cannot change while the database is open");
    }
    long memoryBytesMax = parts.pool().capBytesMax();
    if (after.memoryBytes() > memoryBytesMax) {
      throw new IllegalArgumentException(
          "memoryBytes is "
              + after.memoryBytes()
              + ", but a database opened with "
              + before.memoryBytes()
              + " can grow to "
              + memoryBytesMax
              + " only: open it again with more");
    }
    ProcessMemory.ofThisProcess().check(after);
  }

  private static void resizeCaches(EngineParts parts, long bytesBefore, long bytesAfter) {
    ColumnCache columns = parts.columns();
    long moreForColumns = 0;
    if (columns != null) {
      columns.resize(ColumnCache.share(bytesAfter));
      moreForColumns = ColumnCache.share(bytesAfter) - ColumnCache.share(bytesBefore);
    }
    // In this order, blocks never have less room than before and afterwards.
    parts.cache().charge(Math.min(0, moreForColumns));
    parts.cache().resize(bytesAfter);
    parts.cache().charge(Math.max(0, moreForColumns));
    if (!parts.cache().tryCharge(0)) {
      parts.catalog().stores().forEach(Reconfiguration::letGoKept);
    }
  }

  /** Releases what the tables of a store keep of the cache's budget, which is no longer theirs. */
  private static void letGoKept(Store store) {
    List<StoreFile> files = store.retainedFiles();
    try {
      files.forEach(StoreFile::letGoKept);
    } finally {
      Store.release(files);
    }
  }

  /** Returns the options that take effect only at opening, by name. */
  private static Map<String, Function<DatabaseOptions, Object>> fixed() {
    Map<String, Function<DatabaseOptions, Object>> fixed = new LinkedHashMap<>();
    fixed.put("createIfMissing", DatabaseOptions::createIfMissing);
    fixed.put("readOnly", DatabaseOptions::readOnly);
    fixed.put("logFileBytes", Reconfiguration::logFileBytesWhateverTheMemory);
    fixed.put("logWriting", DatabaseOptions::logWriting);
    fixed.put("asyncLogDelay", DatabaseOptions::asyncLogDelay);
    fixed.put("fileReading", DatabaseOptions::fileReading);
    fixed.put("openFilesMax", DatabaseOptions::openFilesMax);
    fixed.put("encryption", DatabaseOptions::encryption);
    fixed.put("mergeOperator", DatabaseOptions::mergeOperators);
    fixed.put("compactionFilter", DatabaseOptions::compactionFilters);
    fixed.put("clock", DatabaseOptions::clock);
    fixed.put("recoveryMode", DatabaseOptions::recoveryMode);
    fixed.put("recoveryListener", DatabaseOptions::recoveryListener);
    fixed.put("experiment", DatabaseOptions::experiment);
    fixed.put("eventListener", DatabaseOptions::eventListeners);
    fixed.put("jmx", DatabaseOptions::jmx);
    return fixed;
  }

  /** The default follows the memory, which may change; the log keeps what it was at opening. */
  private static long logFileBytesWhateverTheMemory(DatabaseOptions options) {
    return options.toBuilder().memoryBytes(ChunkPool.CAP_BYTES_MAX).build().logFileBytes();
  }
}
