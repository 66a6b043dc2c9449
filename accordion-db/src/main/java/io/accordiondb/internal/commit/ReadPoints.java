// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.retention.ReadPointSet;
import io.accordiondb.retention.Readers;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the sequence numbers up to which readers read. A cell may be dropped if no reader at one
 * of them, or at a later one, can tell. Thread-safe.
 *
 * <p>A get holds its read point for microseconds, so it puts it into one of a few slots by
 * compare-and-set; scanners and snapshots, and gets that find no slot, go through a lock.
 *
 * <p>Safety: a reader enters with the visible sequence number v, then looks at the floor, the
 * highest point below which cells may have been dropped. If the floor has passed v in between, it
 * enters again. A thread that drops cells raises the floor first and looks at the readers
 * afterwards. So either the reader sees the raised floor, or the other sees the reader.
 */
public final class ReadPoints implements Readers {
  /** The first slots are for short reads, the others for scans; powers of two. */
  private static final int BRIEF_SLOTS = 32;

  private static final int SCAN_SLOTS = 16;
  private static final int SLOTS = BRIEF_SLOTS + SCAN_SLOTS;

  /** The distance of slots, so that each is in a cache line of its own. */
  private static final int SLOT_STRIDE = 16;

  private static final long FREE = Long.MAX_VALUE;
  private static final int NO_SLOT = -1;

  /** The time of a scan that has only just claimed its slot. */
  private static final long NOW = Long.MIN_VALUE;

  private final Visibility visibility;
  private final AtomicLongArray slots = new AtomicLongArray((SLOTS + 1) * SLOT_STRIDE);
  private final AtomicLong floor = new AtomicLong();

  /** The read points of the slots; a thread that claims a slot reuses its read point object. */
  private final ReadPoint[] inSlots = new ReadPoint[SLOTS];

  /** When the scans in the slots began, in nanoseconds; written by the claimant, read at times. */
  private final AtomicLongArray scansSince = new AtomicLongArray(indexOf(SCAN_SLOTS));

  /** Read points held for long, and those that found their slot taken. */
  @GuardedBy("itself")
  private final TreeMap<Long, Holders> held = new TreeMap<>();

  private final AtomicInteger snapshots = new AtomicInteger();

  /**
   * The claims to one read point that are in no slot, as a list in the order in which they were
   * made. Guarded by {@link ReadPoints#held}. Releasing a claim allocates nothing.
   */
  private static final class Holders {
    final Long sequence;
    int count;
    @Nullable ReadPoint oldest;
    @Nullable ReadPoint newest;

    Holders(Long sequence) {
      this.sequence = sequence;
    }

    void add(ReadPoint point) {
      point.sinceNanos = System.nanoTime();
      point.older = newest;
      if (newest == null) {
        oldest = point;
      } else {
        newest.newer = point;
      }
      newest = point;
      count++;
    }

    void remove(ReadPoint point) {
      if (point.older == null) {
        oldest = point.newer;
      } else {
        point.older.newer = point.newer;
      }
      if (point.newer == null) {
        newest = point.older;
      } else {
        point.newer.older = point.older;
      }
      point.older = null;
      point.newer = null;
      count--;
    }

    /** Returns since when the oldest claim has been held. */
    long sinceNanos() {
      return Objects.requireNonNull(oldest).sinceNanos;
    }
  }

  /**
   * What is held for long.
   *
   * @param readPoints how many scanners, snapshots and transactions hold a read point
   * @param snapshots how many of these are snapshots
   * @param oldestSequence the oldest read point; -1 if there is none
   * @param oldestNanos the age of the oldest claim to it that is held, in nanoseconds
   */
  public record Held(int readPoints, int snapshots, long oldestSequence, long oldestNanos) {
    private static final Held NONE = new Held(0, 0, -1, 0);

    /** Returns what is held of several registries of one database, at a time in nanoseconds. */
    public static Held of(List<ReadPoints> all, long nowNanos) {
      return all.stream().map(points -> points.held(nowNanos)).reduce(NONE, Held::plus);
    }

    private Held plus(Held other) {
      Held older = isOlderThan(other) ? this : other;
      return new Held(
          readPoints + other.readPoints,
          snapshots + other.snapshots,
          older.oldestSequence,
          older.oldestNanos);
    }

    private boolean isOlderThan(Held other) {
      if (oldestSequence < 0 || other.oldestSequence < 0) {
        return oldestSequence >= 0;
      }
      return oldestSequence < other.oldestSequence
          || (oldestSequence == other.oldestSequence && oldestNanos > other.oldestNanos);
    }
  }

  /** Creates a registry without readers. */
  public ReadPoints(Visibility visibility) {
    this.visibility = visibility;
    for (int slot = 0; slot < SLOTS; slot++) {
      slots.set(indexOf(slot), FREE);
      inSlots[slot] = new ReadPoint(slot);
    }
    for (int slot = 0; slot < SCAN_SLOTS; slot++) {
      scansSince.set(indexOf(slot), NOW);
    }
  }

  /** A reader's claim to its read point. It must be closed once. */
  public final class ReadPoint implements AutoCloseable {
    private final int slot;

    /** For a read point in a slot, written by the thread that has claimed the slot. */
    private long sequence;

    /** Null for a read point in a slot. */
    private @Nullable Holders holders;

    // The place in the list of the holders.
    private long sinceNanos;
    private @Nullable ReadPoint older;
    private @Nullable ReadPoint newer;

    private ReadPoint(int slot) {
      this.slot = slot;
    }

    /** Returns the highest sequence number that the reader sees. */
    public long sequence() {
      return sequence;
    }

    @Override
    public void close() {
      Holders own = holders;
      if (own != null) {
        giveBack(own, this);
        return;
      }
      if (slot >= BRIEF_SLOTS) {
        scansSince.setOpaque(indexOf(slot - BRIEF_SLOTS), NOW);
      }
      slots.setRelease(indexOf(slot), FREE);
    }
  }

  /** Claims the newest read point for a short read. */
  public ReadPoint enterBriefly() {
    ReadPoint point = claim(slotOfThread(BRIEF_SLOTS));
    return point == null ? enter() : point;
  }

  /** Claims the newest read point for a scan. */
  public ReadPoint enterScan() {
    int slot = slotOfThread(SCAN_SLOTS);
    ReadPoint point = claim(BRIEF_SLOTS + slot);
    if (point == null) {
      return enter();
    }
    scansSince.setOpaque(indexOf(slot), System.nanoTime());
    return point;
  }

  private static int slotOfThread(int count) {
    return (int) (Thread.currentThread().getId() & (count - 1));
  }

  /** Claims the newest read point in a slot; returns null if the slot is taken. */
  private @Nullable ReadPoint claim(int slot) {
    int index = indexOf(slot);
    long sequence = visibility.visible();
    if (!slots.compareAndSet(index, FREE, sequence)) {
      return null;
    }
    while (floor.get() > sequence) {
      sequence = visibility.visible();
      slots.set(index, sequence);
    }
    ReadPoint point = inSlots[slot];
    point.sequence = sequence;
    return point;
  }

  /** Claims the newest read point for a snapshot or a transaction. */
  public ReadPoint enter() {
    // Before anything is held, because its allocation could fail.
    ReadPoint point = new ReadPoint(NO_SLOT);
    synchronized (held) {
      while (true) {
        long sequence = visibility.visible();
        Holders holders = addHolder(sequence, point);
        if (floor.get() <= sequence) {
          point.sequence = sequence;
          point.holders = holders;
          return point;
        }
        giveBack(holders, point);
      }
    }
  }

  /** Claims a read point that another reader holds at least until this returns. */
  public ReadPoint enter(ReadPoint other) {
    ReadPoint point = new ReadPoint(NO_SLOT);
    point.sequence = other.sequence;
    synchronized (held) {
      point.holders = addHolder(other.sequence, point);
    }
    return point;
  }

  /**
   * Claims the newest read point for a snapshot, which must release it by {@link #closeSnapshot}.
   */
  public ReadPoint enterSnapshot() {
    ReadPoint readPoint = enter();
    snapshots.incrementAndGet();
    return readPoint;
  }

  /** Closes the read point of a snapshot. */
  public void closeSnapshot(ReadPoint readPoint) {
    snapshots.decrementAndGet();
    readPoint.close();
  }

  /** Returns what is held for long, at a time in nanoseconds. */
  public Held held(long nowNanos) {
    int readPoints = 0;
    long oldest = FREE;
    long sinceNanos = nowNanos;
    for (int slot = 0; slot < SCAN_SLOTS; slot++) {
      long sequence = slots.get(indexOf(BRIEF_SLOTS + slot));
      if (sequence != FREE) {
        readPoints++;
        long claimed = scansSince.getOpaque(indexOf(slot));
        long since = claimed == NOW ? nowNanos : claimed;
        if (sequence < oldest || (sequence == oldest && since - sinceNanos < 0)) {
          oldest = sequence;
          sinceNanos = since;
        }
      }
    }
    synchronized (held) {
      readPoints += held.values().stream().mapToInt(holders -> holders.count).sum();
      if (!held.isEmpty()) {
        Holders first = held.firstEntry().getValue();
        long since = first.sinceNanos();
        if (first.sequence < oldest || (first.sequence == oldest && since - sinceNanos < 0)) {
          oldest = first.sequence;
          sinceNanos = since;
        }
      }
    }
    return readPoints == 0
        ? new Held(0, snapshots.get(), -1, 0)
        : new Held(readPoints, snapshots.get(), oldest, Math.max(0, nowNanos - sinceNanos));
  }

  @GuardedBy("held")
  private Holders addHolder(long sequence, ReadPoint point) {
    Holders holders = held.get(sequence);
    if (holders == null) {
      holders = new Holders(sequence);
      held.put(holders.sequence, holders);
    }
    holders.add(point);
    return holders;
  }

  @Override
  public long smallestReadPoint() {
    long smallest = raiseFloor();
    for (int slot = 0; slot < SLOTS; slot++) {
      smallest = Math.min(smallest, slots.get(indexOf(slot)));
    }
    synchronized (held) {
      return held.isEmpty() ? smallest : Math.min(smallest, held.firstKey());
    }
  }

  @Override
  public ReadPointSet readPoints() {
    long newest = raiseFloor();
    LongStream.Builder points = LongStream.builder();
    for (int slot = 0; slot < SLOTS; slot++) {
      points.add(slots.get(indexOf(slot)));
    }
    synchronized (held) {
      held.keySet().forEach(points::add);
    }
    return ReadPointSet.of(points.build().toArray(), newest);
  }

  /** Makes later readers read at or above a sequence number, which is returned. */
  private long raiseFloor() {
    long visible = visibility.visible();
    floor.accumulateAndGet(visible, Math::max);
    return visible;
  }

  /** Returns whether any reader holds a read point. */
  public boolean isAnyHeld() {
    for (int slot = 0; slot < SLOTS; slot++) {
      if (slots.get(indexOf(slot)) != FREE) {
        return true;
      }
    }
    synchronized (held) {
      return !held.isEmpty();
    }
  }

  private void giveBack(Holders holders, ReadPoint point) {
    synchronized (held) {
      holders.remove(point);
      if (holders.count == 0) {
        held.remove(holders.sequence);
      }
    }
  }

  private static int indexOf(int slot) {
    return (slot + 1) * SLOT_STRIDE;
  }
}
