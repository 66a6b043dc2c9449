// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.database;

import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.compaction.CompactionPicker;
import io.accordiondb.internal.compaction.Compactor;
import io.accordiondb.internal.compaction.Compactor.Compacted;
import io.accordiondb.internal.region.Store;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has stores compacted in the background, one compaction at a time on each. Thread-safe. */
final class CompactionScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionScheduler.class);

  private final Compactor compactor;
  private final CompactionPicker picker;
  private final Executor executor;
  private final FailureState failure;
  private final LongAdder compactions = new LongAdder();
  private final LongAdder bytesRead = new LongAdder();
  private final LongAdder bytesWritten = new LongAdder();
  private volatile boolean closing;

  CompactionScheduler(
      Compactor compactor, CompactionPicker picker, Executor executor, FailureState failure) {
    this.compactor = compactor;
    this.picker = picker;
    this.executor = executor;
    this.failure = failure;
  }

  long compactions() {
    return compactions.sum();
  }

  long bytesRead() {
    return bytesRead.sum();
  }

  long bytesWritten() {
    return bytesWritten.sum();
  }

  /** Cancels what is running and begins nothing more. */
  void stop() {
    closing = true;
  }

  /** Asks for minor compactions of a store, unless they have been asked for already. */
  void request(Store store) {
    if (closing
        || (store.fileCount() < picker.filesMin() && !store.hasViews())
        || !store.compactionRequested().compareAndSet(false, true)) {
      return;
    }
    try {
      executor.execute(() -> compactInBackground(store));
    } catch (RejectedExecutionException e) {
      // The database is closing.
      store.compactionRequested().set(false);
    }
  }

  /** Compacts a store now, on the caller's thread. */
  void compact(Store store, boolean major) throws IOException {
    store.compactionLock().lock();
    try {
      if (!store.isClosed()) {
        count(
            major
                ? compactor.major(store, cancelledFor(store))
                : compactor.minor(store, picker, cancelledFor(store)));
      }
    } finally {
      store.compactionLock().unlock();
    }
  }

  private BooleanSupplier cancelledFor(Store store) {
    return () -> closing || store.isClosed();
  }

  private void compactInBackground(Store store) {
    boolean again = false;
    try {
      store.compactionLock().lock();
      try {
        if (!failure.isFailed() && !store.isClosed()) {
          again =
              count(compactor.minor(store, picker, cancelledFor(store)))
                  || count(compactor.rewriteView(store, cancelledFor(store)));
        }
      } finally {
        store.compactionLock().unlock();
      }
    } catch (IOException | RuntimeException | Error e) {
      LOG.error("compaction of {} failed; its files stay as they were", store.id(), e);
    } finally {
      store.compactionRequested().set(false);
    }
    if (again) {
      request(store);
    }
  }

  private boolean count(Compacted compacted) {
    if (compacted.files() == 0) {
      return false;
    }
    compactions.increment();
    bytesRead.add(compacted.bytesRead());
    bytesWritten.add(compacted.bytesWritten());
    return true;
  }
}
