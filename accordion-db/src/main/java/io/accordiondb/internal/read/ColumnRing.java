// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.internal.read.ColumnCache.ColumnKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A ring buffer of single columns in direct memory, with an index; both together stay within a
 * number of bytes. Thread-safe; a look-up takes no lock and allocates only the value.
 *
 * <pre>
 *   entry = length (4), place (4), set number (8), timestamp (8), sequence (8),
 *           column length (4), value length (4), column, value, up to a multiple of 8
 * </pre>
 *
 * <p>Positions in the ring only ever grow, so an entry is whole as long as its position is at or
 * behind {@link #tail}. A writer first moves the tail and then writes; a reader checks the tail
 * again after it has copied the value. An entry that the tail passes is dropped, unless it was read
 * recently: then it is written again at the head.
 *
 * <p>The index has four places for each column; a new entry takes the place of one that was not
 * read recently.
 */
final class ColumnRing {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle TAIL = tailHandle();

  private static final int PLACE = 4;
  private static final int SET = 8;
  private static final int TIMESTAMP = 16;
  private static final int SEQUENCE = 24;
  private static final int COLUMN_LENGTH = 32;
  private static final int VALUE_LENGTH = 36;
  private static final int HEADER_BYTES = 40;

  /** The length that marks the empty rest of a slab. */
  private static final int FILLER = 0;

  private static final int SLAB_BYTES_MAX = 256 << 10;

  /** Longest value that is kept; for longer ones, caching the block is as good. */
  private static final int VALUE_BYTES_MAX = 2048;

  /** Bytes of the ring for which there is one place. */
  private static final int BYTES_PER_PLACE = 256;

  private static final int WAYS = 4;

  /** The number of recently requested columns that are remembered, per place. */
  private static final int RECENT_PER_PLACE = 2;

  /** Bytes of the index for a place: position, hash, mark, and requested hashes. */
  private static final int PLACE_BYTES = Long.BYTES + Integer.BYTES * (1 + RECENT_PER_PLACE) + 1;

  /** Maximum number of recently read entries that are written again to make room for a new one. */
  private static final int CHANCES_PER_ENTRY = 8;

  private final IntFunction<@Nullable ByteBuffer> memory;
  private final int slabBytes;
  private final @Nullable ByteBuffer[] slabs;

  /**
   * The number of slabs that are used in turn. Written under the lock, and only while the ring is
   * filled for the first time, so that no entry moves.
   */
  private int slabCount;

  private final int placeMask;

  /** For each place, the position of its entry plus one; 0 if it has none. */
  private final AtomicLongArray positions;

  /** For each place, the hash of its entry; a hint, written without ordering. */
  private final int[] hashes;

  /** For each place, whether its entry was read recently; a hint, written without ordering. */
  private final boolean[] used;

  /** Hashes requested recently; a hint, written without ordering. */
  private final int[] recent;

  private final ReentrantLock lock = new ReentrantLock();

  /** The position of the oldest entry. Written under the lock, before its memory is used again. */
  @SuppressWarnings("unused") // Through TAIL.
  private long tail;

  /** The position of the next entry. Written under the lock. */
  private volatile long head;

  @GuardedBy("lock")
  private byte[] entry = new byte[HEADER_BYTES + VALUE_BYTES_MAX];

  /**
   * Creates an empty ring, which takes memory as it is filled.
   *
   * @param memory allocates that many bytes of direct memory, or returns null
   */
  ColumnRing(long capacityBytes, IntFunction<@Nullable ByteBuffer> memory) {
    this.memory = memory;
    long wanted = Math.max(WAYS, Math.min(capacityBytes / BYTES_PER_PLACE, 1 << 26));
    int places = Integer.highestOneBit((int) wanted);
    long bytes = Math.max(0, capacityBytes - (long) places * PLACE_BYTES);
    slabBytes = (int) Math.min(bytes, SLAB_BYTES_MAX) & -Long.BYTES;
    slabs = new ByteBuffer[slabBytes == 0 ? 0 : (int) (bytes / slabBytes)];
    slabCount = slabs.length;
    placeMask = places - 1;
    positions = new AtomicLongArray(places);
    hashes = new int[places];
    used = new boolean[places];
    recent = new int[places * RECENT_PER_PLACE];
  }

  private static VarHandle tailHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(ColumnRing.class, "tail", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Returns the bytes between the oldest entry and the newest. */
  long usedBytes() {
    return Math.max(0, head - tail());
  }

  private long tail() {
    return (long) TAIL.getOpaque(this);
  }

  private long capacityBytes() {
    return (long) slabCount * slabBytes;
  }

  /** Looks up a column of a set of tables; returns whether it is there. */
  boolean find(long setNumber, ColumnKey key, FoundCell found) {
    int first = firstPlace(key.hash());
    for (int place = first; place < first + WAYS; place++) {
      if (hashes[place] == key.hash()) {
        long position = positions.getAcquire(place) - 1;
        if (isWhole(position) && read(position, setNumber, key, found)) {
          if (!used[place]) {
            used[place] = true;
          }
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether an entry has not been overwritten yet. */
  private boolean isWhole(long position) {
    return position >= tail();
  }

  /**
   * Reads an entry that a writer may overwrite at the same time; returns whether it belongs to the
   * wanted column.
   */
  private boolean read(long position, long setNumber, ColumnKey key, FoundCell found) {
    ByteBuffer slab = slabOf(position);
    int at = offsetOf(position);
    int valueLength = slab.getInt(at + VALUE_LENGTH);
    int valueAt = at + HEADER_BYTES + key.length();
    if (slab.getLong(at + SET) != setNumber
        || valueLength < 0
        || valueLength > VALUE_BYTES_MAX
        || valueAt + valueLength > slabBytes
        || !isOf(slab, at, key)) {
      return false;
    }
    byte[] value = new byte[valueLength];
    slab.get(valueAt, value);
    long timestamp = slab.getLong(at + TIMESTAMP);
    long sequence = slab.getLong(at + SEQUENCE);
    // The copy must be complete before the tail is read again.
    VarHandle.acquireFence();
    if (!isWhole(position)) {
      return false;
    }
    found.setValue(value, timestamp, sequence);
    return true;
  }

  private boolean isOf(ByteBuffer slab, int at, ColumnKey key) {
    int length = key.length();
    int column = at + HEADER_BYTES;
    if (slab.getInt(at + COLUMN_LENGTH) != length || column + length > slabBytes) {
      return false;
    }
    byte[] bytes = key.bytes();
    int i = 0;
    for (; i + Long.BYTES <= length; i += Long.BYTES) {
      if (slab.getLong(column + i) != (long) LONG.get(bytes, key.from() + i)) {
        return false;
      }
    }
    for (; i < length; i++) {
      if (slab.get(column + i) != bytes[key.from() + i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Adds the newest version of a column in a set of tables, if the column was requested recently
   * and no other thread is just changing the ring.
   */
  void offer(long setNumber, ColumnKey key, FoundCell found) {
    int mark = key.hash() >>> 1 & recent.length - 1;
    boolean wasAskedFor = recent[mark] == key.hash();
    recent[mark] = key.hash();
    int bytes = HEADER_BYTES + key.length() + found.valueLength() + Long.BYTES - 1 & -Long.BYTES;
    if (!wasAskedFor
        || found.valueLength() > VALUE_BYTES_MAX
        || bytes > slabBytes / 4
        || !lock.tryLock()) {
      return;
    }
    try {
      // Choose the place first, because entries that are written again may seem unused afterwards.
      int place = placeFor(key);
      if (hasSlabFor(startFor(bytes))) {
        makeRoom(bytes, CHANCES_PER_ENTRY);
        put(place, setNumber, key, found, bytes);
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void put(int place, long setNumber, ColumnKey key, FoundCell found, int bytes) {
    if (positions.getPlain(place) > tail()) {
      // It replaces another entry; clear the marks of the entries beside it.
      int first = firstPlace(key.hash());
      Arrays.fill(used, first, first + WAYS, false);
    }
    used[place] = false;
    if (entry.length < bytes) {
      entry = new byte[bytes];
    }
    ByteBuffer.wrap(entry)
        .putInt(bytes)
        .putInt(place)
        .putLong(setNumber)
        .putLong(found.timestamp())
        .putLong(found.sequence())
        .putInt(key.length())
        .putInt(found.valueLength())
        .put(key.bytes(), key.from(), key.length());
    found.copyValue(entry, HEADER_BYTES + key.length());
    append(place, bytes);
    hashes[place] = key.hash();
  }

  /** Returns a place of the same column, or a free one, or the first not used recently. */
  @GuardedBy("lock")
  private int placeFor(ColumnKey key) {
    int first = firstPlace(key.hash());
    int chosen = -1;
    for (int place = first; place < first + WAYS; place++) {
      long position = positions.getPlain(place) - 1;
      if (position < tail()
          || (hashes[place] == key.hash() && isOf(slabOf(position), offsetOf(position), key))) {
        return place;
      }
      if (chosen < 0 && !used[place]) {
        chosen = place;
      }
    }
    return chosen < 0 ? first + (int) (head / Long.BYTES & WAYS - 1) : chosen;
  }

  /**
   * Advances the tail until an entry has room behind the head.
   *
   * @param chances maximum number of recently read entries that are written again
   */
  @GuardedBy("lock")
  private void makeRoom(int bytes, int chances) {
    int left = chances;
    while (startFor(bytes) + bytes - tail() > capacityBytes()) {
      left -= evictOldest(left > 0) ? 1 : 0;
    }
  }

  /** Moves the tail over one entry; returns whether the entry was written again at the head. */
  @GuardedBy("lock")
  private boolean evictOldest(boolean mayStay) {
    long position = tail();
    int at = offsetOf(position);
    if (position == head) {
      head = position + slabBytes - at;
      moveTail(head);
      return false;
    }
    ByteBuffer slab = slabOf(position);
    int bytes = slab.getInt(at);
    if (bytes == FILLER) {
      moveTail(position + slabBytes - at);
      return false;
    }
    int place = slab.getInt(at + PLACE);
    boolean isCurrent = positions.getPlain(place) - 1 == position;
    boolean stays = mayStay && isCurrent && used[place];
    if (stays) {
      if (entry.length < bytes) {
        entry = new byte[bytes];
      }
      slab.get(at, entry, 0, bytes);
    } else if (isCurrent) {
      positions.setRelease(place, 0);
    }
    moveTail(position + bytes);
    if (stays) {
      makeRoom(bytes, 0);
      used[place] = false;
      append(place, bytes);
    }
    return stays;
  }

  @GuardedBy("lock")
  private void moveTail(long position) {
    TAIL.setOpaque(this, position);
    // A reader that sees any byte written after this must also see the new tail.
    VarHandle.releaseFence();
  }

  /** Writes an entry at the head, where there is room, and stores its position in a place. */
  @GuardedBy("lock")
  private void append(int place, int bytes) {
    long position = startFor(bytes);
    if (position > head) {
      slabOf(head).putInt(offsetOf(head), FILLER);
    }
    slabOf(position).put(offsetOf(position), entry, 0, bytes);
    positions.setRelease(place, position + 1);
    head = position + bytes;
  }

  /** Returns the position of a new entry: the head, or the next slab if this one is too full. */
  @GuardedBy("lock")
  private long startFor(int bytes) {
    int at = offsetOf(head);
    return at + bytes <= slabBytes ? head : head + slabBytes - at;
  }

  /**
   * Allocates a slab where a new entry begins, if it is to have one. Without memory for it, the
   * ring continues with the slabs before; returns false if there are none.
   */
  @GuardedBy("lock")
  private boolean hasSlabFor(long position) {
    int index = indexOf(position);
    if (slabs[index] == null) {
      slabs[index] = memory.apply(slabBytes);
      if (slabs[index] == null) {
        slabCount = index == 0 ? slabCount : index;
        return index > 0;
      }
    }
    return true;
  }

  private int indexOf(long position) {
    return (int) (position / slabBytes % slabCount);
  }

  private int offsetOf(long position) {
    return (int) (position % slabBytes);
  }

  /** Returns the slab of an entry, or of the unused rest behind one. */
  private ByteBuffer slabOf(long position) {
    return Objects.requireNonNull(slabs[indexOf(position)]);
  }

  private int firstPlace(int hash) {
    return hash & placeMask & -WAYS;
  }
}
