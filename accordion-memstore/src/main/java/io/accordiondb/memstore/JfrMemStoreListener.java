// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Records the events of one memory store with JDK Flight Recorder and passes them on to another
 * listener. Thread-safe. While no recording runs, its cost is negligible.
 *
 * <p>The events are {@code io.accordiondb.InMemoryFlush}, {@code Flattening}, {@code Merge}, {@code
 * Compaction}, {@code Abort}, {@code Snapshot} (of a disk flush), {@code OldestSequence} and, once
 * a second, {@code MemStore}, which holds the state of the store: cells, bytes by kind of memory,
 * pipeline length, u and t. Each event names its store.
 */
public final class JfrMemStoreListener implements MemStoreListener {
  /** Listeners of open stores; weak, so that a store that is never closed can be collected. */
  private static final Set<WeakReference<JfrMemStoreListener>> OPEN = ConcurrentHashMap.newKeySet();

  /** JFR has it only while stores are open, because it would keep the class loader. */
  private static final Runnable WRITER = JfrMemStoreListener::writeStates;

  /** Whether JFR has it; guarded by {@link #OPEN}. */
  private static boolean registered;

  private final String storeName;
  private final MemStoreListener next;
  private final WeakReference<JfrMemStoreListener> self = new WeakReference<>(this);
  private volatile @Nullable Supplier<MemStoreStatistics> statistics;

  /**
   * Creates a listener for one memory store.
   *
   * @param storeName the name of the store in its events
   * @param next receives everything that this listener receives
   */
  public JfrMemStoreListener(String storeName, MemStoreListener next) {
    this.storeName = storeName;
    this.next = next;
  }

  private static void writeStates() {
    for (WeakReference<JfrMemStoreListener> reference : OPEN) {
      JfrMemStoreListener listener = reference.get();
      if (listener == null) {
        OPEN.remove(reference);
      } else {
        listener.writeState();
      }
    }
  }

  private void writeState() {
    Supplier<MemStoreStatistics> source = statistics;
    if (source != null) {
      MemStoreEvent.State event = new MemStoreEvent.State();
      event.set(source.get());
      write(event);
    }
  }

  private void write(MemStoreEvent event) {
    event.store = storeName;
    event.commit();
  }

  @Override
  public void onOpen(Supplier<MemStoreStatistics> statistics) {
    this.statistics = statistics;
    synchronized (OPEN) {
      OPEN.add(self);
      if (!registered && FlightRecorder.isAvailable()) {
        FlightRecorder.addPeriodicEvent(MemStoreEvent.State.class, WRITER);
        registered = true;
      }
    }
    next.onOpen(statistics);
  }

  @Override
  public void onClose() {
    statistics = null;
    synchronized (OPEN) {
      OPEN.remove(self);
      if (registered && OPEN.isEmpty()) {
        FlightRecorder.removePeriodicEvent(WRITER);
        registered = false;
      }
    }
    next.onClose();
  }

  @Override
  public void onInMemoryFlush(long cells, long dataBytes, int pipelineSegments) {
    MemStoreEvent.InMemoryFlush event = new MemStoreEvent.InMemoryFlush();
    if (event.isEnabled()) {
      event.cells = cells;
      event.dataBytes = dataBytes;
      event.pipelineSegments = pipelineSegments;
      write(event);
    }
    next.onInMemoryFlush(cells, dataBytes, pipelineSegments);
  }

  @Override
  public void onFlattening(long cellsEliminated, long bytesEliminated) {
    MemStoreEvent.Flattening event = new MemStoreEvent.Flattening();
    if (event.isEnabled()) {
      event.cellsEliminated = cellsEliminated;
      event.bytesEliminated = bytesEliminated;
      write(event);
    }
    next.onFlattening(cellsEliminated, bytesEliminated);
  }

  @Override
  public void onMerge(PipelineChange merge) {
    write(new MemStoreEvent.Merge(), merge);
    next.onMerge(merge);
  }

  @Override
  public void onCompaction(PipelineChange compaction) {
    write(new MemStoreEvent.Compaction(), compaction);
    next.onCompaction(compaction);
  }

  private void write(MemStoreEvent.Change event, PipelineChange change) {
    if (event.isEnabled()) {
      event.set(change);
      write(event);
    }
  }

  @Override
  public void onAbort() {
    write(new MemStoreEvent.Abort());
    next.onAbort();
  }

  @Override
  public void onSnapshot(int segments, long cells, long dataBytes) {
    MemStoreEvent.Snapshot event = new MemStoreEvent.Snapshot();
    if (event.isEnabled()) {
      event.segments = segments;
      event.cells = cells;
      event.dataBytes = dataBytes;
      write(event);
    }
    next.onSnapshot(segments, cells, dataBytes);
  }

  @Override
  public void onOldestSequence(long oldestSequence) {
    MemStoreEvent.OldestSequence event = new MemStoreEvent.OldestSequence();
    if (event.isEnabled()) {
      event.oldestSequence = oldestSequence;
      write(event);
    }
    next.onOldestSequence(oldestSequence);
  }

  @Override
  public void onFailure(Throwable failure) {
    next.onFailure(failure);
  }
}
