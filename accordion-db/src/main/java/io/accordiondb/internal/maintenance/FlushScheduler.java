// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.internal.catalog.StoreOpener;
import io.accordiondb.internal.commit.Batch;
import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.commit.StoreCells;
import io.accordiondb.internal.metrics.BackgroundErrors;
import io.accordiondb.internal.region.FlushFailure;
import io.accordiondb.internal.region.Flusher;
import io.accordiondb.internal.region.Flusher.Flushed;
import io.accordiondb.internal.region.Store;
import io.accordiondb.memstore.MemStore;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which stores are flushed, and runs the flushes in the background. Thread-safe.
 *
 * <p>A store is flushed when it has reached its own size. When all stores together come near the
 * budget, the stores without an in-memory policy are flushed first, then the largest, so that the
 * stores that compact in memory live longer.
 *
 * <p>A failed flush is tried again, after a short pause and then after longer and longer ones,
 * until it succeeds.
 */
public final class FlushScheduler {
  /** A flush adds all range tombstones to the manifest in one record, which must not be large. */
  private static final long RANGE_TOMBSTONE_BYTES_MAX = 16 << 20;

  /** Share of the budget from which stores are flushed, whatever uses the memory. */
  private static final double MEMORY_FLUSH_ALWAYS = 0.85;

  private static final Comparator<Store> FAILED_FIRST =
      Comparator.comparing(store -> !store.memStore().hasSnapshot());
  private static final Comparator<Store> UNMANAGED_FIRST =
      Comparator.comparing(store -> store.memStore().options().policy().kind() != Policy.NONE);
  private static final Comparator<Store> LARGEST_FIRST =
      Comparator.comparingLong((Store store) -> store.memStore().flushableBytes()).reversed();

  private static final Logger LOG = LoggerFactory.getLogger(FlushScheduler.class);

  private final Flusher flusher;
  private final Executor executor;
  private final Executor syncs;
  private final MemoryBudget budget;
  private final FailureState failure;
  private final Supplier<Collection<Store>> stores;
  private final Consumer<Store> onFlushed;
  private final IntSupplier flushesAtOnce;
  private final AtomicInteger outstanding = new AtomicInteger();
  private volatile long usedBytesJudged;
  private final BackgroundErrors errors;

  /**
   * Creates a scheduler.
   *
   * @param executor runs flushes
   * @param syncs forces the log to the device while they write
   * @param stores all open stores
   * @param flushesAtOnce flushes that may be requested under pressure before one has ended
   * @param onFlushed receives each store after its flush
   */
  public FlushScheduler(
      Flusher flusher,
      Executor executor,
      Executor syncs,
      MemoryBudget budget,
      FailureState failure,
      Supplier<Collection<Store>> stores,
      IntSupplier flushesAtOnce,
      Consumer<Store> onFlushed,
      BackgroundErrors errors) {
    this.errors = errors;
    this.flusher = flusher;
    this.executor = executor;
    this.syncs = syncs;
    this.budget = budget;
    this.failure = failure;
    this.stores = stores;
    this.flushesAtOnce = flushesAtOnce;
    this.onFlushed = onFlushed;
  }

  public long flushes() {
    return flusher.flushes();
  }

  /** Returns how many flushes run or wait to run now. */
  public int running() {
    return outstanding.get() + flusher.onCallers();
  }

  public long cellsFlushed() {
    return flusher.cellsFlushed();
  }

  public long bytesFlushed() {
    return flusher.bytesFlushed();
  }

  public long failures() {
    return flusher.failures();
  }

  /** Returns the last failed flush and its cause, in words; null if none has failed. */
  public @Nullable String lastFailure() {
    return flusher.lastFailure();
  }

  /** Returns the stores whose last flush has failed, and the causes; null if there is none. */
  private @Nullable String failing() {
    List<String> failing =
        stores.get().stream()
            .map(FlushFailure::describe)
            .filter(Objects::nonNull)
            .map(Objects::requireNonNull)
            .toList();
    return switch (failing.size()) {
      case 0 -> null;
      case 1 -> failing.get(0);
      default -> failing.get(0) + ", and so have those of " + (failing.size() - 1) + " others";
    };
  }

  /** Returns what holds the memory, for the exception of a writer that waited too long. */
  public String explain() {
    String failing = failing();
    return String.format(
        Locale.ROOT,
        "no flush has taken %d bytes of them yet, %d flushes run or wait; open scanners keep"
            + " memory, too%s",
        stores.get().stream().mapToLong(store -> store.memStore().flushableBytes()).sum(),
        running(),
        failing == null ? "" : "; " + failing);
  }

  /**
   * Requests the flushes that a commit makes due.
   *
   * @param storeBytesMax size at which a store is flushed; 0 for none
   */
  public void onCommitted(Batch batch, long storeBytesMax) {
    if (storeBytesMax > 0 || batch.deletesRanges()) {
      for (StoreCells group : batch.groups()) {
        flushIfFull(group.store(), storeBytesMax);
      }
    }
    flushIfMemoryIsShort();
  }

  /** Requests a flush of a store that has reached a size, or too many range tombstones. */
  private void flushIfFull(Store store, long fullBytes) {
    MemStore memory = store.memStore();
    // The charged bytes are an upper bound of the bytes to flush, and cheaper to get.
    boolean full =
        fullBytes > 0 && memory.usedBytes() >= fullBytes && memory.flushableBytes() >= fullBytes;
    if (full || memory.rangeTombstoneBytes() >= RANGE_TOMBSTONE_BYTES_MAX) {
      request(store);
    }
  }

  /** Requests flushes if all stores together near the budget. */
  public void flushIfMemoryIsShort() {
    flushIfMemoryIsShort(budget.pressureBytes());
  }

  /** Requests flushes if there is too little room for bytes that wait to be written. */
  public void makeRoom(long bytes) {
    flushIfMemoryIsShort(budget.pressureBytes() + bytes);
  }

  private void flushIfMemoryIsShort(long used) {
    // Cells that are being flushed count as used until they are on disk, so wait for these flushes
    // first.
    boolean scarce = used >= MEMORY_FLUSH_ALWAYS * budget.limitBytes();
    if (used < StoreOpener.MEMORY_SHARE * budget.limitBytes()
        || outstanding.get() >= flushesAtOnce.getAsInt()
        || (used == usedBytesJudged && !scarce)) {
      return;
    }
    // Memory is allocated in chunks, so the sum need not be computed at every write. But a flush
    // may have ended and its chunk may be in use again. If writes wait, flushing must continue
    // nevertheless.
    usedBytesJudged = used;
    flushOne(scarce);
  }

  /**
   * Requests the flush of one store: of one whose last flush failed, else of one without an
   * in-memory policy, else of the largest. Does nothing if merges use the memory, unless it is
   * scarce.
   *
   * @param scarce whether memory is so short that a store is flushed in any case
   */
  private void flushOne(boolean scarce) {
    Collection<Store> open = stores.get();
    long flushable = open.stream().mapToLong(store -> store.memStore().flushableBytes()).sum();
    // Merges use the rest for a short time, which is no reason to flush unless memory runs out.
    if (flushable >= StoreOpener.MEMORY_SHARE * budget.limitBytes() || scarce) {
      open.stream()
          .filter(store -> !store.isFlushing() && !isPausing(store) && hasCells(store))
          .min(FAILED_FIRST.thenComparing(UNMANAGED_FIRST).thenComparing(LARGEST_FIRST))
          .ifPresent(this::request);
    }
  }

  private static boolean hasCells(Store store) {
    return store.memStore().hasSnapshot() || store.memStore().flushableBytes() > 0;
  }

  /** Returns whether the store's last flush failed so recently that none is begun now. */
  private static boolean isPausing(Store store) {
    FlushFailure last = store.flushFailure();
    return last != null && last.isPausing(System.nanoTime());
  }

  /** Repeats the flushes that have failed, each after its pause. */
  void retryFailed() {
    for (Store store : stores.get()) {
      if (store.memStore().hasSnapshot() && !store.isFlushing()) {
        request(store);
      }
    }
  }

  /** Requests a flush, unless one is requested already or the last one has just failed. */
  void request(Store store) {
    if (isPausing(store) || !store.requestFlush()) {
      return;
    }
    outstanding.incrementAndGet();
    boolean accepted = false;
    try {
      executor.execute(BackgroundThreads.surviving(() -> flushInBackground(store)));
      accepted = true;
    } catch (RejectedExecutionException e) {
      LOG.debug("the database is closing, and flushes everything itself");
    } catch (RuntimeException | Error e) {
      errors.report("could not begin the flush of " + store.name() + "; will try again", e);
    } finally {
      if (!accepted) {
        outstanding.decrementAndGet();
        store.endFlushRequest();
      }
    }
  }

  /** Flushes a store now, on the caller's thread. */
  void flush(Store store) throws IOException {
    tell(store, flusher.flush(store));
  }

  private void tell(Store store, Flushed flushed) {
    if (flushed.isRecorded()) {
      onFlushed.accept(store);
    }
  }

  /**
   * Flushes stores now, on the caller's thread. If one store cannot be flushed, the others are
   * flushed nevertheless.
   *
   * @throws IOException if any of them could not be flushed
   */
  public void flushAll(Collection<Store> all) throws IOException {
    IOException failed = null;
    for (Store store : all) {
      failure.check();
      try {
        flush(store);
      } catch (IOException e) {
        if (failed == null) {
          failed = e;
        } else {
          failed.addSuppressed(e);
        }
      }
    }
    if (failed != null) {
      throw failed;
    }
  }

  private void flushInBackground(Store store) {
    try {
      if (failure.isFailed()) {
        // The next round requests the flush again, in case the failure is temporary.
        store.endFlushRequest();
      } else {
        tell(store, flusher.flush(store, syncs));
      }
    } catch (IOException | RuntimeException | Error e) {
      store.endFlushRequest();
      errors.report(
          "flush of " + store.name() + " failed; its cells stay in memory, for the next try", e);
    } finally {
      outstanding.decrementAndGet();
    }
  }
}
