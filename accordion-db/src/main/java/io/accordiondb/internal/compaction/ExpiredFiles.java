// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.internal.region.SortedRuns;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import java.util.List;

/**
 * Finds files of which nothing is left, because all of their cells are older than the family's time
 * to live. Immutable.
 *
 * @param oldestLive the lowest timestamp of cells that are kept
 * @param readPoint the lowest read point of all readers
 */
record ExpiredFiles(long oldestLive, long readPoint) {
  /** Creates an object for the families whose cells all expire by their timestamps. */
  static ExpiredFiles of(FamilyDescriptor family, long nowMillis, long readPoint) {
    return new ExpiredFiles(
        SortedRuns.mayKeepExpired(family)
            ? Long.MIN_VALUE
            : family.versionRules().oldestLiveTimestamp(nowMillis),
        readPoint);
  }

  /** Returns whether nothing is left of a file. A delete marker may be kept for what it hides. */
  boolean has(StoreFile file) {
    return file.hasOnlyPutsBefore(oldestLive) && file.maxSequence() <= readPoint;
  }

  /** Returns whether nothing is left of any file of a store. */
  boolean any(Store store) {
    if (oldestLive == Long.MIN_VALUE) {
      return false;
    }
    List<StoreFile> files = store.retainedFiles();
    try {
      return files.stream().anyMatch(this::has);
    } finally {
      Store.release(files);
    }
  }
}
