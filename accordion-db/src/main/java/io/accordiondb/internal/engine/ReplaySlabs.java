// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.internal.maintenance.BackgroundThreads;
import io.accordiondb.internal.thread.DaemonThreads;
import io.accordiondb.internal.wal.LogReplay;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies the records of a log. It collects them into slabs; several threads prepare the slabs, and
 * the thread that reads the log applies them in order. A log that fits into one slab needs no other
 * thread.
 *
 * <p>The order matters, because which cells are dropped in memory may depend on earlier delete
 * markers.
 */
final class ReplaySlabs implements Closeable {
  /** The number of slabs per thread that wait or are being applied. */
  private static final int SLABS_PER_THREAD = 2;

  /** How many times the bytes of full slabs may wait if records are longer than slabs. */
  private static final int PENDING_SHARE = 2;

  /** Receives the records. */
  interface Target {
    /**
     * Prepares a slab and returns an action that applies it. Several threads call this at the same
     * time; one thread runs the actions, slab by slab in the order of the log.
     */
    Runnable prepare(List<LoggedBatch> slab) throws IOException;
  }

  /**
   * A record of the log.
   *
   * @param payload from 0 to the limit
   */
  record LoggedBatch(ByteBuffer payload, long firstSequence, int count, LogReplay.Source source) {
    long lastSequence() {
      return firstSequence + count - 1;
    }
  }

  private record Pending(Future<Runnable> work, long lastSequence, long bytes) {}

  private final int threads;
  private final long slabBytes;
  private final long pendingBytesMax;
  private final Target target;
  private final LongConsumer onApplied;

  /** Oldest first. */
  private final ArrayDeque<Pending> pending = new ArrayDeque<>();

  private List<LoggedBatch> slab = new ArrayList<>();
  private long gatheredBytes;
  private long pendingBytes;
  private @Nullable ExecutorService executor;

  /**
   * Creates an object without records.
   *
   * @param slabBytes payload of a slab
   * @param onApplied receives, on the thread that adds records, the sequence number up to which all
   *     have been applied
   */
  ReplaySlabs(int threads, long slabBytes, Target target, LongConsumer onApplied) {
    this.threads = threads;
    this.slabBytes = slabBytes;
    this.pendingBytesMax = slabBytes * threads * SLABS_PER_THREAD * PENDING_SHARE;
    this.target = target;
    this.onApplied = onApplied;
  }

  /**
   * Copies a record, which will be applied later; returns whether a slab was full, so that the
   * caller should check the memory in use.
   *
   * @throws IOException if a record added before could not be applied
   */
  boolean add(ByteBuffer payload, long firstSequence, int count, LogReplay.Source source)
      throws IOException {
    int bytes = payload.limit();
    ByteBuffer copy = ByteBuffer.allocate(bytes).put(0, payload, 0, bytes);
    slab.add(new LoggedBatch(copy, firstSequence, count, source));
    gatheredBytes += bytes;
    if (gatheredBytes < slabBytes) {
      return false;
    }
    // A record may be much longer than a slab should be.
    while (!pending.isEmpty()
        && (pending.size() >= threads * SLABS_PER_THREAD
            || pendingBytes + gatheredBytes > pendingBytesMax)) {
      awaitOldest();
    }
    long fullBytes = gatheredBytes;
    List<LoggedBatch> full = takeSlab();
    Future<Runnable> work = executor().submit(() -> target.prepare(full));
    pending.add(new Pending(work, lastSequence(full), fullBytes));
    pendingBytes += fullBytes;
    return true;
  }

  /** Returns when all records added have been applied. */
  void drain() throws IOException {
    while (!pending.isEmpty()) {
      awaitOldest();
    }
    List<LoggedBatch> rest = takeSlab();
    if (!rest.isEmpty()) {
      target.prepare(rest).run();
      onApplied.accept(lastSequence(rest));
    }
  }

  /** Ends the threads after their present work. */
  @Override
  public void close() {
    ExecutorService started = executor;
    if (started != null) {
      pending.forEach(slab -> slab.work.cancel(false));
      BackgroundThreads.end(started);
    }
  }

  private static long lastSequence(List<LoggedBatch> entries) {
    return entries.get(entries.size() - 1).lastSequence();
  }

  private List<LoggedBatch> takeSlab() {
    List<LoggedBatch> taken = slab;
    slab = new ArrayList<>();
    gatheredBytes = 0;
    return taken;
  }

  private void awaitOldest() throws IOException {
    Pending oldest = pending.remove();
    pendingBytes -= oldest.bytes;
    boolean interrupted = false;
    try {
      while (true) {
        try {
          oldest.work.get().run();
          break;
        } catch (InterruptedException e) {
          // A slab that is partly applied must be finished.
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException problem) {
        throw problem;
      }
      throw new IllegalStateException("a record of the log could not be applied", e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    onApplied.accept(oldest.lastSequence);
  }

  private ExecutorService executor() {
    ExecutorService started = executor;
    if (started == null) {
      started = Executors.newFixedThreadPool(threads, new DaemonThreads("replay"));
      executor = started;
    }
    return started;
  }
}
