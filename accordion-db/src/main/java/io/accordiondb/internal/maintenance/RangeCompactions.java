// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import io.accordiondb.internal.compaction.Compacted;
import io.accordiondb.internal.compaction.Compactor;
import io.accordiondb.internal.compaction.MostlyDeletedFiles;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreId;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The compactions that range tombstones make necessary: to free the space of what they delete, and
 * to get rid of the tombstones. They give way to files that pile up: none begins then, and one that
 * is given up begins again after a pause, because it has written for nothing. The pause doubles
 * each time until one is done. A store that keeps its tombstones is left alone for long.
 * Thread-safe.
 */
final class RangeCompactions {
  /**
   * The heap and the number of a store's range tombstones, no longer needed by readers, above which
   * they are applied to all of its files.
   */
  private static final long RANGE_BYTES_MAX = 16 << 20;

  private static final int RANGES_MAX = 5000;

  private final Compactor compactor;
  private final MostlyDeletedFiles mostlyDeleted;

  /** Where the rewriting of a file was given up. */
  private final FailedCompactions stoppedRewrites;

  /** Where the merge of all files was given up. */
  private final FailedCompactions stoppedMerges;

  /** The pauses after too many range tombstones of a store were kept. */
  private final LongPauses keptRanges = new LongPauses();

  /** Creates the compactions of all stores that a compactor compacts. */
  RangeCompactions(Compactor compactor, LongSupplier nanoClock) {
    this.compactor = compactor;
    this.stoppedRewrites = new FailedCompactions(nanoClock);
    this.stoppedMerges = new FailedCompactions(nanoClock);
    this.mostlyDeleted = new MostlyDeletedFiles(compactor::smallestReadPoint);
  }

  /** Returns whether {@link #compact} may have something to do. */
  boolean mayBeDue(Store store) {
    return mayRewriteFiles(store) || mayMergeRanges(store);
  }

  /** Runs the next one that is due. */
  Compacted compact(Store store, BooleanSupplier cancelled) throws IOException {
    BooleanSupplier stopped =
        () -> cancelled.getAsBoolean() || store.sortedRuns() >= Compactor.FILES_URGENT;
    if (stopped.getAsBoolean()) {
      return Compacted.NOTHING;
    }
    Compacted rewritten = mayRewriteFiles(store) ? rewriteFile(store, stopped) : Compacted.NOTHING;
    return rewritten.files() == 0 && mayMergeRanges(store)
        ? mergeRanges(store, stopped)
        : rewritten;
  }

  private boolean mayRewriteFiles(Store store) {
    return !stoppedRewrites.isPausing(store.id(), false) && mostlyDeleted.mayBeIn(store);
  }

  /** Rewrites a file most of which range tombstones delete. */
  private Compacted rewriteFile(Store store, BooleanSupplier stopped) throws IOException {
    OptionalLong found = mostlyDeleted.findIn(store);
    if (found.isEmpty()) {
      return Compacted.NOTHING;
    }
    Compacted rewritten = compactor.rewrite(store, found.getAsLong(), stopped);
    note(rewritten, store, stoppedRewrites);
    return rewritten;
  }

  /** Notes whether a compaction that had something to do was given up. */
  private static void note(Compacted compacted, Store store, FailedCompactions stopped) {
    if (compacted.files() == 0) {
      stopped.addStopped(store.id());
    } else {
      stopped.remove(store.id());
    }
  }

  private boolean mayMergeRanges(Store store) {
    return store.fileRanges().heapBytes() > RANGE_BYTES_MAX
        && !keptRanges.isPausing(store.id())
        && !stoppedMerges.isPausing(store.id(), false)
        && hasManyRanges(store);
  }

  /** Returns whether a store has more range tombstones that a compaction now could apply. */
  private boolean hasManyRanges(Store store) {
    long readPoint = compactor.smallestReadPoint();
    return store.fileRanges().toList().stream()
            .filter(tombstone -> tombstone.sequence() <= readPoint)
            .count()
        > RANGES_MAX;
  }

  /**
   * Applies all range tombstones of a store, with which memory, manifest and each flush have become
   * too large.
   */
  private Compacted mergeRanges(Store store, BooleanSupplier stopped) throws IOException {
    Compacted merged = compactor.major(store, stopped);
    note(merged, store, stoppedMerges);
    if (merged.files() > 0 && hasManyRanges(store)) {
      keptRanges.begin(store.id());
    }
    return merged;
  }

  /** Forgets all other stores. */
  void forgetAllBut(Set<StoreId> ids) {
    stoppedRewrites.retainAll(ids);
    stoppedMerges.retainAll(ids);
    keptRanges.retainAll(ids);
    mostlyDeleted.retainAll(ids);
  }
}
