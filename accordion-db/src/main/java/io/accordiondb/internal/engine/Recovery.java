// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.RecoveryMode;
import io.accordiondb.RecoveryProgress;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.EncodedCells;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.catalog.StoreOpener;
import io.accordiondb.internal.commit.BatchReader;
import io.accordiondb.internal.commit.LogNote;
import io.accordiondb.internal.commit.LoggedGroup;
import io.accordiondb.internal.commit.MalformedBatchException;
import io.accordiondb.internal.commit.Visibility;
import io.accordiondb.internal.engine.ReplaySlabs.LoggedBatch;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.region.Flusher;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.internal.wal.LogReplay;
import io.accordiondb.memstore.MemStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores the contents of the stores by replaying the cells from the log that are not in files. A
 * crash may interrupt it at any point; it can then run again.
 */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  /** Bytes of the log between two reports. */
  private static final long REPORT_BYTES = 16 << 20;

  /** A replay that takes longer reports its progress in the log output, repeatedly. */
  private static final long LOG_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Threads that check and sort cells, while another one reads the log and applies them. */
  private static final int THREADS = Math.min(8, Runtime.getRuntime().availableProcessors());

  private static final long SLAB_BYTES_MIN = 4 << 10;
  private static final long SLAB_BYTES_MAX = 4 << 20;

  /**
   * A slab is at most one part in this many of the memory, so that waiting slabs do not fill it.
   */
  private static final long SLABS_IN_MEMORY = 64;

  private final Version version;
  private final Map<StoreId, Store> stores = new HashMap<>();
  private final Map<StoreId, Long> flushedSequences = new HashMap<>();
  private final Visibility visibility;
  private final MemoryBudget budget;
  private final Flusher flusher;
  private final LongConsumer raiseClock;
  private final Consumer<RecoveryProgress> listener;
  private final LongAccumulator reserved = new LongAccumulator(Math::max, 0);
  private long bytesReported;
  private long nanosLogged = System.nanoTime();

  /**
   * Creates a recovery.
   *
   * @param raiseClock receives timestamps of logged cells that the clock can have given to writes,
   *     before the cells are in memory
   */
  Recovery(
      Version version,
      List<Store> stores,
      Visibility visibility,
      MemoryBudget budget,
      Flusher flusher,
      LongConsumer raiseClock,
      Consumer<RecoveryProgress> listener) {
    this.version = version;
    this.raiseClock = raiseClock;
    this.listener = listener;
    this.visibility = visibility;
    this.budget = budget;
    this.flusher = flusher;
    for (Store store : stores) {
      StoreId id = store.id();
      this.stores.put(id, store);
      flushedSequences.put(id, version.flushedSequence(id.regionId(), id.familyId()));
    }
  }

  /**
   * Replays the log; returns the last sequence number that survived.
   *
   * @throws CorruptionException if the mode refuses the log; the message says what to do
   * @throws FormatVersionException if a newer version of this software has written a batch
   */
  long replay(LogReplay log) throws IOException {
    try {
      return replayAll(log);
    } catch (CorruptionException e) {
      throw e.withRemedy(remedy(log.mode()));
    }
  }

  private static String remedy(RecoveryMode mode) {
    String salvage = "recovery mode SALVAGE keeps all that is sound; ";
    String modes =
        switch (mode) {
          case ABSOLUTE ->
              "recovery mode TOLERATE_TORN_TAIL accepts what a crash leaves, POINT_IN_TIME opens"
                  + " the database as it was before the damage; "
                  + salvage;
          case TOLERATE_TORN_TAIL ->
              "recovery mode POINT_IN_TIME opens the database as it was before the damage; "
                  + salvage;
          case POINT_IN_TIME -> salvage;
          case SALVAGE -> "";
        };
    return modes + "verify lists all damage, repair keeps what is sound and a copy of the log";
  }

  private long replayAll(LogReplay log) throws IOException {
    long lastSequence =
        Math.max(
            version.lastFlushedSequence(),
            version.files().stream().mapToLong(FileRecord::maxSequence).max().orElse(0));
    visibility.recoverTo(lastSequence);
    long slabBytes =
        Math.max(SLAB_BYTES_MIN, Math.min(SLAB_BYTES_MAX, budget.limitBytes() / SLABS_IN_MEMORY));
    try (ReplaySlabs slabs =
        new ReplaySlabs(THREADS, slabBytes, this::prepare, visibility::recoverTo)) {
      log.replay(
          (payload, first, count, source) -> {
            if (slabs.add(payload, first, count, source)) {
              flushIfFull(slabs);
              report(log.progress());
            }
          });
      slabs.drain();
      flushIfFull(slabs);
    }
    listener.accept(log.progress());
    if (log.mode() == RecoveryMode.POINT_IN_TIME && log.isDamaged()) {
      checkOneMoment(log.lastSequence());
    }
    lastSequence = Math.max(lastSequence, log.lastSequence());
    visibility.recoverTo(lastSequence);
    if (log.mode() == RecoveryMode.SALVAGE) {
      // The log has gaps, so it is not kept.
      for (Store store : stores.values()) {
        flusher.flush(store);
      }
    }
    return lastSequence;
  }

  /** Refuses a log that ends before cells that some stores have in files and others do not. */
  private void checkOneMoment(long logEnd) throws CorruptionException {
    long newest = flushedSequences.values().stream().mapToLong(Long::longValue).max().orElse(0);
    // An ingested file is in no flush mark.
    long newestFile = version.files().stream().mapToLong(FileRecord::maxSequence).max().orElse(0);
    boolean isOneMoment =
        newestFile <= Math.max(newest, logEnd)
            && (newest <= logEnd || flushedSequences.values().stream().allMatch(s -> s == newest));
    if (!isOneMoment) {
      throw new CorruptionException(
          "the log",
          0,
          "sequence numbers up to " + Math.max(newest, newestFile) + ", which sorted tables have",
          "those up to " + logEnd);
    }
  }

  private void report(RecoveryProgress progress) {
    if (progress.bytesRead() - bytesReported < REPORT_BYTES) {
      return;
    }
    bytesReported = progress.bytesRead();
    listener.accept(progress);
    if (System.nanoTime() - nanosLogged > LOG_NANOS) {
      nanosLogged = System.nanoTime();
      LOG.info(
          "replayed {} of {} MiB of the log, {} batches",
          progress.bytesRead() >> 20,
          progress.bytesTotal() >> 20,
          progress.records());
    }
  }

  /** Makes room in memory when it is nearly full. */
  private void flushIfFull(ReplaySlabs slabs) throws IOException {
    boolean flushed = true;
    while (flushed && budget.pressureBytes() > StoreOpener.MEMORY_SHARE * budget.limitBytes()) {
      // A flush records that all cells of a store up to the newest one are in files, so add all of
      // them to memory first.
      slabs.drain();
      flushed = flushLargest();
    }
  }

  /** Checks the batches of a slab, and returns an action that adds their cells to memory. */
  private Runnable prepare(List<LoggedBatch> slab) throws IOException {
    Map<Store, List<EncodedCells>> batches = new HashMap<>();
    List<Runnable> prepared = new ArrayList<>();
    long latest = 0;
    for (LoggedBatch logged : slab) {
      try {
        for (LoggedGroup group :
            BatchReader.read(logged.payload(), logged.firstSequence(), logged.count())) {
          reserved.accumulate(LogNote.reservedBy(group));
          Store store = storeToFill(group.store(), group.firstSequence());
          if (store != null) {
            // Each flush has recorded the time of the clock, so cells in files need nothing.
            latest = Math.max(latest, latestTimestamp(group));
          }
          if (store != null && group.deletesRanges()) {
            MemStore memory = store.memStore();
            group.rangeTombstones().forEach(range -> prepared.add(() -> memory.deleteRange(range)));
          } else if (store != null && group.cellCount() > 0) {
            batches
                .computeIfAbsent(store, any -> new ArrayList<>())
                .add(
                    new EncodedCells(
                        group.batch(),
                        group.offset(),
                        group.cellCount(),
                        group.firstSequence(),
                        group.format()));
          }
        }
      } catch (MalformedBatchException e) {
        throw e.newer(
            logged.source().file() + ", offset " + (logged.source().offset() + e.offset()));
      }
    }
    raiseClock.accept(latest);
    batches.forEach((store, cells) -> prepared.add(store.memStore().prepare(cells)));
    return () -> prepared.forEach(Runnable::run);
  }

  /**
   * Returns the highest timestamp that the clock can have given to a cell, 0 if there is none:
   * programs may have dated others by times to come.
   */
  private long latestTimestamp(LoggedGroup group) {
    long ceiling = version.clockCeiling();
    long latest = 0;
    int at = group.offset();
    for (int i = 0; i < group.cellCount(); i++) {
      long timestamp = KeyValueLayout.timestamp(group.batch(), at);
      if (timestamp <= ceiling) {
        latest = Math.max(latest, timestamp);
      }
      at += group.format().step(group.batch(), at);
    }
    return latest;
  }

  /**
   * Returns the number up to which numbers may have been given out to writes that were not logged.
   */
  long reserved() {
    return reserved.get();
  }

  /**
   * Returns the store to which cells belong; null if it was dropped since, or has the cells in
   * files. It has all cells of a batch in files, or none.
   */
  private @Nullable Store storeToFill(StoreId id, long firstSequence) {
    return firstSequence > flushedSequences.getOrDefault(id, 0L) ? stores.get(id) : null;
  }

  private boolean flushLargest() throws IOException {
    Store largest =
        stores.values().stream()
            .max(Comparator.comparingLong(store -> store.memStore().flushableBytes()))
            .orElse(null);
    return largest != null && flusher.flush(largest).cells() > 0;
  }
}
