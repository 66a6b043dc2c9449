// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.statistics.BlockKind;
import io.accordiondb.statistics.OperationKind;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The tallies of all threads that work on a database. Thread-safe.
 *
 * <p>Only the owning thread refers strongly to its tally, until {@link #close}. After the thread
 * has ended, the counts are added to a sum and the memory is freed.
 */
public final class Tallies {
  /** A power of two. */
  private static final int RECENT = 64;

  /**
   * The tally of each thread. What threads of an application refer to are objects of the JDK, which
   * {@link #close} empties, because a thread would keep the class loader of a tally.
   */
  private final ThreadLocal<AtomicReference<Tally>> mine =
      ThreadLocal.withInitial(AtomicReference::new);

  /**
   * Recently used tallies, by the number of the thread. Several threads share a place, so an
   * element may belong to another one. Looking here is faster than a look-up of a thread local.
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private final WeakReference<Tally>[] recent = new WeakReference[RECENT];

  private final ReferenceQueue<Tally> ended = new ReferenceQueue<>();

  @GuardedBy("this")
  private final Set<Entry> open = new HashSet<>();

  /** The counts of threads that have ended. */
  @GuardedBy("this")
  private final long[] past = new long[Tally.COUNTERS];

  /** Keeps the counters of a thread alive after the thread has ended. */
  private static final class Entry extends WeakReference<Tally> {
    private final long[] counts;
    private final WeakReference<AtomicReference<Tally>> holder;

    Entry(Tally tally, ReferenceQueue<Tally> queue, AtomicReference<Tally> holder) {
      super(tally, queue);
      this.counts = tally.counts();
      this.holder = new WeakReference<>(holder);
    }

    /** Makes the thread forget its tally. */
    void forget() {
      AtomicReference<Tally> held = holder.get();
      if (held != null) {
        held.set(null);
      }
    }
  }

  /** Returns the tally of the current thread. */
  public Tally mine() {
    Thread thread = Thread.currentThread();
    int place = (int) thread.getId() & (RECENT - 1);
    WeakReference<Tally> reference = recent[place];
    Tally tally = reference == null ? null : reference.get();
    if (tally == null || !tally.belongsTo(thread)) {
      AtomicReference<Tally> holder = mine.get();
      tally = holder.get();
      if (tally == null) {
        tally = open(holder);
        holder.set(tally);
      }
      recent[place] = tally.reference();
    }
    return tally;
  }

  private synchronized Tally open(AtomicReference<Tally> holder) {
    addEnded();
    Tally tally = new Tally(Thread.currentThread());
    open.add(new Entry(tally, ended, holder));
    return tally;
  }

  /** Makes all threads forget their tallies. The counts stay. */
  synchronized void close() {
    open.forEach(Entry::forget);
  }

  @GuardedBy("this")
  private void addEnded() {
    for (Reference<? extends Tally> next = ended.poll(); next != null; next = ended.poll()) {
      if (next instanceof Entry entry && open.remove(entry)) {
        for (int counter = 0; counter < past.length; counter++) {
          past[counter] += Tally.read(entry.counts, counter);
        }
      }
    }
  }

  private synchronized long sum(int counter) {
    addEnded();
    long sum = past[counter];
    for (Entry entry : open) {
      sum += Tally.read(entry.counts, counter);
    }
    return sum;
  }

  /** Returns how many operations of a kind have ended. */
  public long count(OperationKind kind) {
    return sum(kind.ordinal());
  }

  /** Returns how many blocks of a kind readers have found in the cache. */
  public long hits(BlockKind kind) {
    return sum(Tally.hits(kind));
  }

  /** Returns how many blocks of a kind readers have not found in the cache. */
  public long misses(BlockKind kind) {
    return sum(Tally.misses(kind));
  }

  /** Returns how many blocks of all kinds were found in the cache, without single columns. */
  public long blockHits() {
    return hits(BlockKind.DATA) + hits(BlockKind.INDEX) + hits(BlockKind.FILTER);
  }

  /** Returns how many blocks of all kinds were not found in the cache, without single columns. */
  public long blockMisses() {
    return misses(BlockKind.DATA) + misses(BlockKind.INDEX) + misses(BlockKind.FILTER);
  }

  /** Returns how many batches were committed. */
  public long batches() {
    return sum(Tally.batches());
  }

  /** Returns how many cells were committed. */
  public long cells() {
    return sum(Tally.cells());
  }

  /** Returns the bytes of keys and values of these cells. */
  public long bytes() {
    return sum(Tally.bytes());
  }

  /** Returns the number of threads that are being counted, for tests. */
  synchronized int threads() {
    addEnded();
    return open.size();
  }
}
