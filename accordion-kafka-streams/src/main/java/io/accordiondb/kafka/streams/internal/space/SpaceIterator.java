// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import io.accordiondb.ClosedException;
import io.accordiondb.KeyValueCursor;
import io.accordiondb.KeyValueStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over ranges of keys, one after another, with one cursor. It sees the database as of the
 * moment at which it was opened. If it has given its memory back, it continues after its key with
 * the present contents: keys stay in order, and all keys that stay in the store are returned.
 *
 * <p>Belongs to one thread, but other threads may close it, with the store, and make it give memory
 * back.
 */
final class SpaceIterator implements KeyValueIterator<Bytes, byte[]> {
  private final TaskStore store;
  private final KeyValueStore cells;
  private final Iterator<KeyRange> ranges;

  /** The range, if there is one alone: then the cursor need not know what is outside. */
  private final @Nullable KeyRange only;

  private final boolean forward;
  private final KeyFilter filter;
  private final @Nullable Throwable origin;

  /** Fair, so that a thread that waits for it comes in between two keys that the filter skips. */
  private final ReentrantLock lock = new ReentrantLock(true);

  private @Nullable KeyValueCursor opened;
  private @Nullable KeyRange range;
  private boolean stands;

  /** Where the cursor stood that was given back, as stored in the database. */
  private byte @Nullable [] position;

  /** The key at which the cursor is, if the iterator must return it and has not yet. */
  private @Nullable Bytes nextKey;

  /** The value of that key, if the cursor was given back. */
  private byte @Nullable [] nextValue;

  private volatile boolean closed;

  SpaceIterator(
      TaskStore store,
      KeyValueStore cells,
      List<KeyRange> ranges,
      boolean forward,
      KeyFilter filter,
      @Nullable Throwable origin) {
    this.store = store;
    this.cells = cells;
    this.ranges = ranges.iterator();
    this.only = ranges.size() == 1 ? ranges.get(0) : null;
    this.forward = forward;
    this.filter = filter;
    this.origin = origin;
  }

  @Override
  public boolean hasNext() {
    lock.lock();
    try {
      return find();
    } finally {
      lock.unlock();
    }
  }

  /** Finds the next key that the iterator shows. The lock must be held once. */
  private boolean find() {
    checkOpen();
    try {
      while (nextKey == null && advance()) {
        byte[] key = keyWithin(range());
        if (filter.accepts(key)) {
          nextKey = Bytes.wrap(key);
        } else if (lock.hasQueuedThreads()) {
          lock.unlock();
          lock.lock();
          checkOpen();
        }
      }
    } catch (IOException | IllegalStateException e) {
      throw failed(e);
    }
    return nextKey != null;
  }

  @Override
  public Bytes peekNextKey() {
    lock.lock();
    try {
      find();
      return shown();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public KeyValue<Bytes, byte[]> next() {
    lock.lock();
    try {
      find();
      Bytes key = shown();
      nextKey = null;
      byte[] value = nextValue;
      nextValue = null;
      return KeyValue.pair(key, value == null ? cursor().valueBytes() : value);
    } catch (IOException | IllegalStateException e) {
      throw failed(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        try {
          KeyValueCursor cursor = opened;
          if (cursor != null) {
            cursor.close();
          }
        } finally {
          store.forget(this);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Gives back the memory that the cursor keeps; the next use opens another one after its key. */
  void giveBack() {
    lock.lock();
    try {
      KeyValueCursor cursor = opened;
      if (!closed && cursor != null) {
        giveBack(cursor);
      }
    } finally {
      lock.unlock();
    }
  }

  private void giveBack(KeyValueCursor cursor) {
    try {
      if (stands && position == null) {
        ByteBuffer key = cursor.key();
        byte[] copy = new byte[key.remaining()];
        key.get(copy);
        if (nextKey != null) {
          nextValue = cursor.valueBytes();
        }
        position = copy;
      }
    } catch (IllegalStateException e) {
      return; // A move has failed before, or the database is being closed.
    }
    opened = null;
    cursor.close();
  }

  /** Returns the cursor, which sees the moment of the first call. */
  KeyValueCursor cursor() throws IOException {
    KeyValueCursor cursor = opened;
    if (cursor == null) {
      cursor = only == null ? cells.cursor() : cells.cursor(only.from(), only.to());
      opened = cursor;
    }
    return cursor;
  }

  /** Returns the stack trace of the opening, or null if it was not recorded. */
  @Nullable Throwable origin() {
    return origin;
  }

  /** Moves to the next key, of this range or a later one. */
  private boolean advance() throws IOException {
    if (stands) {
      stands = move();
      if (stands && isWithin(range())) {
        return true;
      }
    }
    while (ranges.hasNext()) {
      KeyRange next = ranges.next();
      range = next;
      if (!next.space().isDropped()) {
        stands = forward ? cursor().seek(next.from()) : seekBefore(next.to());
        if (stands && isWithin(next)) {
          return true;
        }
      }
    }
    stands = false;
    return false;
  }

  private boolean move() throws IOException {
    byte[] from = position;
    if (from == null) {
      return forward ? cursor().next() : cursor().previous();
    }
    boolean found =
        forward ? cursor().seek(Arrays.copyOf(from, from.length + 1)) : seekBefore(from);
    position = null;
    return found;
  }

  /** Fixes what the iterator sees. */
  void begin() throws IOException {
    lock.lock();
    try {
      checkOpen();
      cursor();
    } finally {
      lock.unlock();
    }
  }

  private boolean seekBefore(byte[] to) throws IOException {
    KeyValueCursor cursor = cursor();
    boolean found = cursor.seekBackward(to);
    return found && cursor.key().equals(ByteBuffer.wrap(to)) ? cursor.previous() : found;
  }

  private boolean isWithin(KeyRange current) throws IOException {
    ByteBuffer key = cursor().key();
    return forward
        ? compareUnsigned(key, current.to()) < 0
        : compareUnsigned(key, current.from()) >= 0;
  }

  private static int compareUnsigned(ByteBuffer key, byte[] bound) {
    int length = Math.min(key.remaining(), bound.length);
    for (int i = 0; i < length; i++) {
      int difference = (key.get(key.position() + i) & 0xff) - (bound[i] & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    return key.remaining() - bound.length;
  }

  private byte[] keyWithin(KeyRange current) throws IOException {
    ByteBuffer key = cursor().key();
    int prefixLength = current.space().prefixLength();
    byte[] logical = new byte[key.remaining() - prefixLength];
    key.get(key.position() + prefixLength, logical);
    return logical;
  }

  private KeyRange range() {
    KeyRange current = range;
    if (current == null) {
      throw new IllegalStateException("the iterator has no range yet");
    }
    return current;
  }

  private Bytes shown() {
    Bytes key = nextKey;
    if (key == null) {
      throw new NoSuchElementException();
    }
    return key;
  }

  private void checkOpen() {
    if (closed) {
      throw new InvalidStateStoreException("Iterator of store " + store.name() + " has closed");
    }
  }

  private RuntimeException failed(Exception e) {
    checkOpen();
    if (e instanceof ClosedException && store.isOpen()) {
      // Readers of windows take the exception of a closed store for the end.
      return store.restoration(
          new ProcessorStateException(
              "The database of store " + store.name() + " was opened again during an iteration",
              e));
    }
    return store.failed("iterating", e);
  }
}
