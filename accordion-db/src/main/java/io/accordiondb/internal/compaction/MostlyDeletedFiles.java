// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.retention.RangeTombstones;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Finds files about half of which, or more, range tombstones delete that all readers see. Rewriting
 * one writes no more than it frees, unless most of the deleted rows were written again while a
 * reader kept the old ones. The new file has no block that they delete, so it is not found again
 * because of the same tombstones. Thread-safe.
 *
 * <p>It remembers up to which tombstone it has judged each file, and reads the file's index again
 * only if a later one touches the file. Views are left out: they are rewritten anyway.
 */
public final class MostlyDeletedFiles {
  private final LongSupplier smallestReadPoint;

  /** By the numbers of the files, the sequence number up to which their tombstones are judged. */
  private final Map<StoreId, Map<Long, Long>> judged = new ConcurrentHashMap<>();

  /**
   * Creates an object that has not judged any file.
   *
   * @param smallestReadPoint supplies the lowest read point of all readers
   */
  public MostlyDeletedFiles(LongSupplier smallestReadPoint) {
    this.smallestReadPoint = smallestReadPoint;
  }

  /** Returns whether a store has a file that is not judged yet. Cheap, and reads no file. */
  public boolean mayBeIn(Store store) {
    RangeTombstones ranges = store.fileRanges();
    if (ranges.isEmpty()) {
      return false;
    }
    Map<Long, Long> before = judgedIn(store);
    long upTo = upTo(ranges);
    List<StoreFile> files = store.retainedFiles();
    try {
      return files.stream().anyMatch(file -> mayBeDeleted(file, ranges, before, upTo));
    } finally {
      Store.release(files);
    }
  }

  /**
   * Returns the number of such a file, the oldest one. For one store, only one thread at a time may
   * call this.
   */
  public OptionalLong findIn(Store store) throws IOException {
    List<StoreFile> files = store.retainedFiles();
    try {
      RangeTombstones ranges = store.fileRanges();
      long upTo = upTo(ranges);
      Map<Long, Long> before = judgedIn(store);
      Map<Long, Long> now = new HashMap<>();
      OptionalLong found = OptionalLong.empty();
      for (StoreFile file : files) {
        if (mayBeDeleted(file, ranges, before, upTo) && file.isMostlyDeletedBy(ranges, upTo)) {
          found = OptionalLong.of(file.fileNumber());
        } else {
          now.put(file.fileNumber(), upTo);
        }
      }
      judged.put(store.id(), now);
      return found;
    } finally {
      Store.release(files);
    }
  }

  private Map<Long, Long> judgedIn(Store store) {
    return judged.getOrDefault(store.id(), Map.of());
  }

  private long upTo(RangeTombstones ranges) {
    return Math.min(ranges.maxSequence(), smallestReadPoint.getAsLong());
  }

  private static boolean mayBeDeleted(
      StoreFile file, RangeTombstones ranges, Map<Long, Long> before, long upTo) {
    long from = Math.max(file.appliedUpTo(), before.getOrDefault(file.fileNumber(), 0L));
    return from < upTo && file.record().view() == null && file.isTouchedBy(ranges, from);
  }

  /** Forgets the files of all other stores. */
  public void retainAll(Set<StoreId> ids) {
    judged.keySet().retainAll(ids);
  }
}
