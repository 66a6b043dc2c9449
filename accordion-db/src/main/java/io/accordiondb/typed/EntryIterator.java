// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a range of a store. It reads some entries at a time, so it need not be closed. The
 * number grows, because most iterations either are short or go to the end. Not thread-safe.
 */
final class EntryIterator<K, V> implements Iterator<Map.Entry<K, V>> {
  private static final int ENTRIES_MIN = 16;
  private static final int ENTRIES_MAX = 1024;
  private static final int BYTES_MAX = 1 << 20;

  private final TypedStore<K, V> store;
  private final boolean reversed;
  private final Deque<KeyValue> ahead = new ArrayDeque<>();

  /** The range that has not been read yet. */
  private KeyRange rest;

  private boolean atEnd;
  private int entriesMax = ENTRIES_MIN;
  private @Nullable KeyValue returned;

  EntryIterator(TypedStore<K, V> store, KeyRange range, boolean reversed) {
    this.store = store;
    this.rest = range;
    this.reversed = reversed;
  }

  @Override
  public boolean hasNext() {
    if (ahead.isEmpty() && !atEnd) {
      IoWork.unchecked(this::readAhead);
    }
    return !ahead.isEmpty();
  }

  /** Reads some entries; returns how many. */
  private int readAhead() throws IOException {
    try (KeyValueIterator entries = store.open(rest, reversed)) {
      long bytes = 0;
      while (ahead.size() < entriesMax && bytes < BYTES_MAX && entries.hasNext()) {
        KeyValue entry = entries.next();
        bytes += entry.key().length + entry.value().length;
        ahead.add(entry);
      }
      atEnd = ahead.size() < entriesMax && bytes < BYTES_MAX;
    } catch (IOException | RuntimeException | Error e) {
      ahead.clear(); // The next call reads them again.
      throw e;
    }
    KeyValue last = ahead.peekLast();
    if (last != null) {
      rest = reversed ? rest.atMost(last.key(), false) : rest.atLeast(last.key(), false);
    }
    entriesMax = Math.min(ENTRIES_MAX, 2 * entriesMax);
    return ahead.size();
  }

  @Override
  public Map.Entry<K, V> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    KeyValue encoded = ahead.remove();
    Map.Entry<K, V> entry = store.codecs.decode(encoded);
    // Codecs.BYTES passes arrays on, and they belong to the caller then.
    boolean passedOn = entry.getKey() == encoded.key() || entry.getValue() == encoded.value();
    returned = passedOn ? new KeyValue(encoded.key().clone(), encoded.value().clone()) : encoded;
    return entry;
  }

  /** Skips entries up to the next one with an encoded value; returns whether there is one. */
  boolean skipTo(byte[] value) {
    while (hasNext()) {
      returned = ahead.remove();
      if (Arrays.equals(returned.value(), value)) {
        return true;
      }
    }
    return false;
  }

  /** Deletes the key that was returned last, whatever its present value. */
  @Override
  public void remove() {
    KeyValue entry = takeReturned();
    IoWork.unchecked(
        () -> {
          store.deleteEncoded(entry.key());
          return entry;
        });
  }

  /** Deletes the key that was returned last if it still has its value; returns whether it had. */
  boolean removeIfUnchanged() {
    KeyValue entry = takeReturned();
    return IoWork.uncheckedResult(() -> store.deleteIfUnchanged(entry));
  }

  /** Deletes the remaining entries that a predicate selects, unless they have changed since. */
  boolean removeIf(Predicate<? super Map.Entry<K, V>> selected) {
    Objects.requireNonNull(selected, "selected");
    boolean removed = false;
    while (hasNext()) {
      removed |= selected.test(next()) && removeIfUnchanged();
    }
    return removed;
  }

  private KeyValue takeReturned() {
    KeyValue entry = returned;
    if (entry == null) {
      throw new IllegalStateException("next has not returned a key, or it has been removed");
    }
    returned = null;
    return entry;
  }

  /** Returns an iterator over a part of each entry, which moves this one. */
  <T> Iterator<T> parts(Function<? super Map.Entry<K, V>, T> part) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return EntryIterator.this.hasNext();
      }

      @Override
      public T next() {
        return part.apply(EntryIterator.this.next());
      }

      @Override
      public void remove() {
        EntryIterator.this.remove();
      }
    };
  }
}
