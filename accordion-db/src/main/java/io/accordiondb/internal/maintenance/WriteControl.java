// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import io.accordiondb.CompactionStyle;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.WriteStalledException;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.internal.commit.Batch;
import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.commit.StoreCells;
import io.accordiondb.internal.metrics.Stalls;
import io.accordiondb.internal.pause.Pause;
import io.accordiondb.internal.region.Store;
import io.accordiondb.statistics.StallCause;
import java.io.IOException;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slows writers down, and stops them, when the disk cannot follow. Thread-safe.
 *
 * <p>It watches three quantities: the memory budget, and for the written stores the number of
 * sorted tables and the bytes that wait for a compaction. Above a first mark each batch waits a
 * little, and longer towards the second mark; above the second mark it waits until a flush or a
 * compaction has brought the quantity down. The statistics count, time and explain the waits.
 *
 * <p>A batch waits in its encoded form. Many large ones could so take the heap that the flush needs
 * for which they wait. So a large write first takes {@link #takeRoom room} on the heap, and waits
 * for it before it is encoded.
 */
public final class WriteControl {
  /** Share of the budget from which writers are slowed down. */
  private static final double MEMORY_SLOW = 0.9;

  /** Sorted tables of one store from which its writers are slowed down, and stopped. */
  private static final int FILES_SLOW = 20;

  private static final int FILES_STOP = 40;

  /** Share of the greatest compaction debt from which writers are slowed down. */
  private static final double DEBT_SLOW = 0.5;

  /** Longest delay of one batch that is only slowed down. */
  private static final long DELAY_NANOS_MAX = 2_000_000;

  private static final long POLL_NANOS = 1_000_000;

  /** Large writes may hold one part in this many of the heap. */
  private static final int HEAP_SHARE = 16;

  /** A write is large if it takes one part in this many of their room, */
  private static final int ROOM_SHARE = 16;

  /** and at least this many bytes. */
  private static final int LARGE_BYTES_MIN = 64 << 10;

  /** How long a write waits for room at least: that is no stall, unless it takes long. */
  private static final long ROOM_NANOS_MIN = 1_000_000_000;

  /**
   * The time that one poll counts for at most. If the process was stopped in between, for example
   * because the machine slept, flushes had no time either.
   */
  private static final long POLL_COUNTED_NANOS_MAX = 1_000_000_000;

  private static final Logger LOG = LoggerFactory.getLogger(WriteControl.class);

  private final MemoryBudget budget;
  private final FailureState failure;
  private final LongSupplier nanoClock;
  private final Supplier<DatabaseOptions> options;
  private final LongConsumer onPressure;
  private final Supplier<String> memoryState;
  private final Predicate<Store> isDamaged;
  private final Stalls stalls;
  private final WriteRoom room;
  private final long largeBytes;

  /** The text is built only on request, because that would delay writers even more. */
  private volatile @Nullable Supplier<String> lastReason;

  /**
   * Creates a control.
   *
   * @param options say how long a batch may wait before it fails, not counting time in which the
   *     process was stopped, and at which compaction debt of a store its writers are stopped
   * @param onPressure requests flushes that make room for a number of bytes; called by every writer
   *     that is slowed down by memory
   * @param memoryState returns what holds the memory, in words
   * @param isDamaged returns whether compactions of a store fail because a file is damaged
   * @param stalls count and time the writes that wait
   * @param heapBytes maximum size of the heap, in bytes
   */
  public WriteControl(
      MemoryBudget budget,
      FailureState failure,
      LongSupplier nanoClock,
      Supplier<DatabaseOptions> options,
      LongConsumer onPressure,
      Supplier<String> memoryState,
      Predicate<Store> isDamaged,
      Stalls stalls,
      long heapBytes) {
    this.stalls = stalls;
    this.room = new WriteRoom(heapBytes / HEAP_SHARE);
    this.largeBytes = Math.max(LARGE_BYTES_MIN, room.bytesMax() / ROOM_SHARE);
    this.budget = budget;
    this.failure = failure;
    this.nanoClock = nanoClock;
    this.options = options;
    this.onPressure = onPressure;
    this.memoryState = memoryState;
    this.isDamaged = isDamaged;
  }

  /** Returns why a write had to wait the last time, in words; null if none had. */
  public @Nullable String lastReason() {
    Supplier<String> reason = lastReason;
    return reason == null ? null : reason.get();
  }

  /**
   * Takes room on the heap for a write that will be encoded, and waits until there is some.
   *
   * @param bytes about the size of the write when it is encoded
   * @return the bytes that were taken, for {@link #releaseRoom}; 0 if it is a small write, which
   *     needs none, or one that is larger than any batch may be
   */
  public long takeRoom(long bytes) throws IOException {
    if (bytes < largeBytes || bytes > options.get().batchBytesMax()) {
      return 0;
    }
    WriteRoom.Turn turn = new WriteRoom.Turn();
    boolean taken = false;
    room.enter(turn);
    try {
      if (!room.tryTake(turn, bytes)) {
        Pressure pressure = new Pressure(1, StallCause.MEMORY, this::roomReason);
        stall(pressure, () -> room.tryTake(turn, bytes) ? null : pressure, true);
      }
      taken = true;
      return bytes;
    } finally {
      if (!taken) {
        room.leave(turn);
      }
    }
  }

  /** Releases room when the write is committed, or has failed. */
  public void releaseRoom(long taken) {
    if (taken > 0) {
      room.release(taken);
    }
  }

  private String roomReason() {
    return "large writes hold "
        + room.bytesTaken()
        + " of the "
        + room.bytesMax()
        + " bytes of the heap that they may have until they are committed; raise -Xmx";
  }

  /**
   * Waits as long as a batch must wait before it may be committed.
   *
   * @throws ValueTooLargeException at once, if no flush could make room for the batch
   */
  public void admit(Batch batch) throws IOException {
    Pressure pressure = pressure(batch);
    if (pressure == null) {
      return;
    }
    if (batch.payload().limit() >= budget.limitBytes()) {
      throw new ValueTooLargeException("the batch", batch.payload().limit(), budget.limitBytes());
    }
    stall(
        pressure,
        () -> {
          batch.checkOpen();
          return pressure(batch);
        },
        false);
  }

  /** Looks how strong the reason for a wait is now. */
  private interface Look {
    /** Returns the reason; null if there is none. */
    @Nullable Pressure pressure() throws IOException;
  }

  /**
   * Waits until there is no reason any more.
   *
   * @param forRoom whether the wait is for room on the heap, not for a flush or a compaction
   */
  private void stall(Pressure pressure, Look look, boolean forRoom) throws IOException {
    lastReason = pressure.reason;
    long begun = stalls.begin(pressure.cause, pressure.reason);
    try {
      if (pressure.level < 1) {
        Pause.uninterruptibly((long) (DELAY_NANOS_MAX * pressure.level));
      } else {
        awaitRelief(look, forRoom);
      }
    } finally {
      stalls.end(pressure.cause, begun);
    }
  }

  private void awaitRelief(Look look, boolean forRoom) throws IOException {
    LOG.debug("writes stopped: {}", lastReason());
    long waited = 0;
    long polled = nanoClock.getAsLong();
    for (Pressure now = look.pressure(); now != null && now.level >= 1; now = look.pressure()) {
      lastReason = now.reason;
      failure.check();
      if (waited > Math.max(options.get().stallMax().toNanos(), forRoom ? ROOM_NANOS_MIN : 0)) {
        boolean explains = now.cause == StallCause.MEMORY && !forRoom;
        String reason = now.reason.get() + (explains ? "; " + memoryState.get() : "");
        lastReason = () -> reason;
        throw new WriteStalledException(reason);
      }
      Pause.uninterruptibly(POLL_NANOS);
      long polledNow = nanoClock.getAsLong();
      waited += Math.min(polledNow - polled, POLL_COUNTED_NANOS_MAX);
      polled = polledNow;
    }
  }

  /**
   * A reason to delay a write.
   *
   * @param level how much, above 0; writers must stop from 1 on
   * @param reason builds the text; called only on request
   */
  private record Pressure(double level, StallCause cause, Supplier<String> reason) {
    /** Returns the stronger one of two, which may be null. */
    static @Nullable Pressure stronger(@Nullable Pressure a, @Nullable Pressure b) {
      return a == null || (b != null && b.level > a.level) ? b : a;
    }
  }

  /** Returns the strongest reason to delay a write; null if there is none. */
  private @Nullable Pressure pressure(Batch batch) {
    Pressure strongest = memoryPressure(batch);
    for (StoreCells group : batch.groups()) {
      strongest = Pressure.stronger(strongest, filePressure(group.store()));
      strongest = Pressure.stronger(strongest, debtPressure(group.store()));
    }
    return strongest;
  }

  private @Nullable Pressure memoryPressure(Batch batch) {
    long limit = budget.limitBytes();
    long used = budget.pressureBytes() + batch.payload().limit();
    double slow = MEMORY_SLOW * limit;
    if (used <= slow) {
      return null;
    }
    boolean lowered = budget.isLowered();
    boolean large = budget.pressureBytes() > budget.usedBytes();
    onPressure.accept(batch.payload().limit());
    return new Pressure(
        used >= limit ? 1 : (used - slow) / (limit - slow),
        StallCause.MEMORY,
        () -> memoryReason(used, limit, lowered, large));
  }

  private static String memoryReason(long used, long limit, boolean lowered, boolean large) {
    if (large) {
      return "values of more than a chunk of memory take their share of the heap until flushes have"
          + " written them; raise -Xmx";
    }
    return "the memory stores use "
        + used
        + " of "
        + limit
        + " bytes until flushes have written them"
        + (lowered ? "; direct memory has run out, raise -XX:MaxDirectMemorySize" : "");
  }

  private @Nullable Pressure filePressure(Store store) {
    int files = store.sortedRuns();
    // Writers of a family that is never compacted, or cannot be, would wait forever.
    if (files <= FILES_SLOW
        || store.descriptor().compactionStyle() == CompactionStyle.NONE
        || isDamaged.test(store)) {
      return null;
    }
    return new Pressure(
        (double) (files - FILES_SLOW) / (FILES_STOP - FILES_SLOW),
        StallCause.SORTED_TABLES,
        () -> store.id() + " has " + files + " sorted tables, which compactions have yet to merge");
  }

  private @Nullable Pressure debtPressure(Store store) {
    long debtBytesMax = options.get().compactionDebtBytesMax();
    long debt = store.compactionDebtBytes();
    double slow = DEBT_SLOW * debtBytesMax;
    // If no compaction is due for these files, or can end, writers would wait forever.
    if (debt <= slow || !store.isCompactionRequested() || isDamaged.test(store)) {
      return null;
    }
    return new Pressure(
        (debt - slow) / (debtBytesMax - slow),
        StallCause.COMPACTION_DEBT,
        () -> store.id() + " has " + debt + " bytes of sorted tables that wait for a compaction");
  }
}
