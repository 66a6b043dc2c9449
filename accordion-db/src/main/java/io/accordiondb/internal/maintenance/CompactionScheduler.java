// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import io.accordiondb.CompactionStyle;
import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.compaction.Compacted;
import io.accordiondb.internal.compaction.CompactionPicker;
import io.accordiondb.internal.compaction.Compactor;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.metrics.BackgroundErrors;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.region.StoreId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Schedules compactions of stores in the background, one at a time for each store. Thread-safe. */
public final class CompactionScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionScheduler.class);

  /**
   * Bytes merged in a lull for each second that it has lasted. If writes begin again and cancel the
   * merge, the wasted work is about as long as the lull before it.
   */
  private static final long BYTES_PER_IDLE_SECOND = 64L << 20;

  /** How often a thread that waits for a compaction looks whether it will still run. */
  private static final int POLL_MILLIS = 100;

  /** Seconds after which a lull is used. */
  private static final int IDLE_SECONDS_MIN = 3;

  private final Compactor compactor;
  private final RangeCompactions ranges;
  private final CompactionPicker picker;
  private final CompactionPicker idlePicker;
  private final BooleanSupplier whileIdle;
  private final WriteLull lull;
  private final ExecutorService executor;
  private final FailureState failure;
  private final BackgroundErrors errors;
  private final LongAdder compactions = new LongAdder();
  private final LongAdder bytesRead = new LongAdder();
  private final LongAdder bytesWritten = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private volatile @Nullable String lastFailure;
  private volatile boolean closing;

  /** Incremented to cancel running compactions. */
  private final AtomicLong cancellations = new AtomicLong();

  /** The pauses after a file was kept although all of its cells seemed to have expired. */
  private final LongPauses keptExpired = new LongPauses();

  /** Failures to merge files, which needs space on the disk. */
  private final FailedCompactions failedMerges = new FailedCompactions(System::nanoTime);

  /** Failures to drop files, which frees space and must not wait until merges succeed. */
  private final FailedCompactions failedDrops = new FailedCompactions(System::nanoTime);

  /**
   * Creates a scheduler.
   *
   * @param picker chooses while the database is written to
   * @param idlePicker chooses in a lull
   * @param whileIdle whether to merge tables, and segments in memory, in a lull
   */
  public CompactionScheduler(
      Compactor compactor,
      CompactionPicker picker,
      CompactionPicker idlePicker,
      BooleanSupplier whileIdle,
      WriteLull lull,
      ExecutorService executor,
      FailureState failure,
      BackgroundErrors errors) {
    this.errors = errors;
    this.compactor = compactor;
    this.ranges = new RangeCompactions(compactor, System::nanoTime);
    this.picker = picker;
    this.idlePicker = idlePicker;
    this.whileIdle = whileIdle;
    this.lull = lull;
    this.executor = executor;
    this.failure = failure;
  }

  public long compactions() {
    return compactions.sum();
  }

  /** Returns how many compactions run now. */
  public int running() {
    return compactor.running();
  }

  public long bytesRead() {
    return bytesRead.sum();
  }

  public long bytesWritten() {
    return bytesWritten.sum();
  }

  public long failures() {
    return failures.sum();
  }

  /** Returns the last failure and its cause, in words, or null. */
  public @Nullable String lastFailure() {
    return lastFailure;
  }

  /** Cancels running compactions; the files stay as they are. */
  public void cancel() {
    cancellations.incrementAndGet();
  }

  /** Cancels running compactions and starts no more. */
  public void stop() {
    closing = true;
  }

  /** Requests the due compactions of all stores. Called periodically. */
  void requestDue(List<Store> stores) {
    lull.look();
    forgetAllBut(stores);
    boolean idle = whileIdle.getAsBoolean() && lull.seconds() >= IDLE_SECONDS_MIN;
    for (Store store : stores) {
      request(store);
      if (idle) {
        requestIfIdle(store);
        store.memStore().mergePipeline();
      }
    }
  }

  private void forgetAllBut(List<Store> stores) {
    Set<StoreId> ids = stores.stream().map(Store::id).collect(Collectors.toSet());
    keptExpired.retainAll(ids);
    ranges.forgetAllBut(ids);
    failedMerges.retainAll(ids);
    failedDrops.retainAll(ids);
  }

  /** Requests minor compactions of a store, unless they are requested already. */
  public void request(Store store) {
    if (store.descriptor().compactionStyle() == CompactionStyle.NONE) {
      return;
    }
    StoreId id = store.id();
    boolean expired = !keptExpired.isPausing(id) && compactor.hasExpired(store);
    boolean drops = (store.hasDeletedFiles() || expired) && !failedDrops.isPausing(id, false);
    boolean merges =
        (mayMergeFiles(store) || store.hasViews() || ranges.mayBeDue(store)) && !isPausing(store);
    if (drops || merges) {
      BooleanSupplier cancelled = cancelledFor(store);
      IoSupplier<Boolean> drop =
          () ->
              count(compactor.dropDeleted(store, cancelled))
                  || (expired && dropExpired(store, cancelled));
      request(
          store,
          () ->
              (drops && failedDrops.attempt(id, drop) && failedMerges.removeDamage(id))
                  || (merges && failedMerges.attempt(id, () -> merge(store, cancelled))));
    }
  }

  private boolean merge(Store store, BooleanSupplier cancelled) throws IOException {
    return count(compactor.minor(store, picker::pick, cancelled))
        || count(compactor.rewriteView(store, cancelled))
        || count(ranges.compact(store, cancelled));
  }

  private boolean mayMergeFiles(Store store) {
    boolean leveled = store.descriptor().compactionStyle() == CompactionStyle.LEVELED;
    return store.fileCount() >= picker.filesMin()
        && (leveled || store.mergedRunBytes().size() >= picker.filesMin());
  }

  /** Drops an expired file. If something in it had to be kept, the store is left alone for long. */
  private boolean dropExpired(Store store, BooleanSupplier cancelled) throws IOException {
    Compacted dropped = compactor.dropExpired(store, cancelled);
    if (dropped.filesWritten() > 0) {
      keptExpired.begin(store.id());
    }
    return count(dropped);
  }

  /**
   * In a lull, requests a compaction that leaves readers fewer files and would cost too much during
   * writes. It is cancelled when the lull ends.
   */
  private void requestIfIdle(Store store) {
    long bytesMax = (long) (lull.seconds() * BYTES_PER_IDLE_SECOND);
    if (store.descriptor().compactionStyle() == CompactionStyle.TIERED
        && !isPausing(store)
        && !idlePicker.pick(store.mergedRunBytes(), bytesMax).isEmpty()) {
      BooleanSupplier stopped = cancelledFor(store);
      BooleanSupplier cancelled = () -> stopped.getAsBoolean() || lull.seconds() == 0;
      IoSupplier<Boolean> merge =
          () -> count(compactor.minor(store, sizes -> idlePicker.pick(sizes, bytesMax), cancelled));
      request(store, () -> failedMerges.attempt(store.id(), merge));
    }
  }

  /** Schedules a compaction, unless one is requested already. It returns whether it did work. */
  private void request(Store store, IoSupplier<Boolean> compaction) {
    if (closing || !store.requestCompaction()) {
      return;
    }
    boolean accepted = false;
    try {
      executor.execute(BackgroundThreads.surviving(() -> compactInBackground(store, compaction)));
      accepted = true;
    } catch (RejectedExecutionException e) {
      LOG.debug("the database is closing, and compacts nothing more");
    } catch (RuntimeException | Error e) {
      errors.report("could not begin a compaction of " + store.name() + "; will try again", e);
    } finally {
      if (!accepted) {
        store.endCompactionRequest();
      }
    }
  }

  /**
   * Compacts a store now, on the caller's thread. Returns false if the store was closed meanwhile,
   * perhaps for a moment, and so was left as it was.
   *
   * @throws StoreClosedException if compactions were stopped before this one was done
   */
  boolean compact(Store store, boolean major) throws IOException {
    boolean[] wasClosed = {false};
    BooleanSupplier cancelled = cancelledFor(store);
    BooleanSupplier noting =
        () -> {
          wasClosed[0] |= store.isClosed();
          return cancelled.getAsBoolean();
        };
    boolean compacted =
        store.compactAlone(
            () ->
                !noting.getAsBoolean()
                    && count(
                        major
                            ? compactor.major(store, noting)
                            : compactor.minor(store, picker::pick, noting)));
    if (compacted) {
      failedMerges.remove(store.id());
      failedDrops.remove(store.id());
    } else if (closing) {
      // The store may be open still, but the caller must not take it for compacted.
      throw new StoreClosedException();
    }
    return compacted || !wasClosed[0];
  }

  /**
   * Compacts stores now, side by side on the threads for compactions, and waits for all. Returns
   * the stores that were not closed meanwhile, even for a moment.
   */
  public List<Store> compactAll(List<Store> stores, boolean major) throws IOException {
    List<Store> open = Collections.synchronizedList(new ArrayList<>());
    List<Future<?>> running = new ArrayList<>();
    Exception failed = null;
    for (Store store : stores) {
      try {
        running.add(
            executor.submit(
                () -> {
                  if (compact(store, major)) {
                    open.add(store);
                  }
                  return null;
                }));
      } catch (RejectedExecutionException e) {
        LOG.debug("the database is being closed", e);
        failed = new StoreClosedException();
      }
    }
    for (Future<?> one : running) {
      Exception failure = failureOf(one);
      failed = failed == null ? failure : failed;
    }
    if (failed instanceof IOException e) {
      throw e;
    }
    if (failed != null) {
      throw new IOException("a compaction has failed", failed);
    }
    return open;
  }

  /** Waits for work, even if interrupted; returns its failure, or null. */
  private @Nullable Exception failureOf(Future<?> work) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          work.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
          return null;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (TimeoutException e) {
          // Closing the database drops work for which there is no thread, and nothing says so.
          if (executor.isTerminated() && !work.isDone()) {
            return new StoreClosedException();
          }
        } catch (ExecutionException e) {
          return e.getCause() instanceof IOException failure ? failure : e;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private BooleanSupplier cancelledFor(Store store) {
    long begun = cancellations.get();
    return () -> closing || store.isClosed() || cancellations.get() != begun;
  }

  private boolean isPausing(Store store) {
    return failedMerges.isPausing(store.id(), store.sortedRuns() >= Compactor.FILES_URGENT);
  }

  /** Returns whether the last merge of a store has found a damaged file, as others will. */
  public boolean isDamaged(Store store) {
    return failedMerges.isDamaged(store.id());
  }

  private void compactInBackground(Store store, IoSupplier<Boolean> compaction) {
    boolean again = false;
    try {
      again =
          store.compactAlone(() -> !failure.isFailed() && !store.isClosed() && compaction.get());
    } catch (IOException | RuntimeException | Error e) {
      lastFailure = store.id() + ": " + e;
      failures.increment();
      errors.report(
          "compaction of "
              + store.name()
              + " failed; its files stay as they were, and are read and written as before; it is"
              + " tried again later",
          e);
    } finally {
      store.endCompactionRequest();
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
