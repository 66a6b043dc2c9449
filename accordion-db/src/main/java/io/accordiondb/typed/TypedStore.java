// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import io.accordiondb.Durability;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Snapshot;
import io.accordiondb.WriteBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link KeyValueStore} whose keys and values have types. Thread-safe. It holds no state: the
 * store may be used beside it, and any number of views of one store may exist.
 *
 * <pre>{@code
 * TypedStore<String, Long> hits =
 *     TypedStore.of(database.keyValueStore("hits"), Codecs.STRING, Codecs.LONG);
 * hits.put("index.html", 1L);
 * try (TypedIterator<String, Long> pages = hits.prefix(KeyPrefix.ofString("in"))) {
 *   pages.forEachRemaining(page -> use(page.getKey(), page.getValue()));
 * }
 * hits.asMap().merge("index.html", 1L, Long::sum);
 * }</pre>
 *
 * <p>Each write is atomic and, unless it says otherwise, as durable as the database's default is.
 * Null is refused by {@link NullPointerException}. A {@link CodecException} means that nothing has
 * changed: all that a write needs is encoded and decoded before it. A key whose encoding is empty
 * can be read, and is never there; to write it throws {@link io.accordiondb.EmptyRowException}.
 *
 * <p>The store does not know its codecs. Whoever opens it must name those that it was written with.
 */
public final class TypedStore<K, V> extends TypedReads<K, V> {
  private final KeyValueStore store;

  private TypedStore(KeyValueStore store, StoreCodecs<K, V> codecs) {
    super(store, codecs);
    this.store = store;
  }

  /** Returns a view of a store. Reads and writes nothing. */
  public static <K, V> TypedStore<K, V> of(
      KeyValueStore store, KeyCodec<K> keyCodec, Codec<V> valueCodec) {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(keyCodec, "keyCodec");
    Objects.requireNonNull(valueCodec, "valueCodec");
    return new TypedStore<>(store, new StoreCodecs<>(store.name(), keyCodec, valueCodec));
  }

  /** Returns the reads as of a snapshot, for as long as that is open. */
  public TypedReads<K, V> at(Snapshot snapshot) {
    return new TypedReads<>(store.at(snapshot), codecs);
  }

  /** Writes a value. */
  public void put(K key, V value) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    store.put(encoded, codecs.encodeValue(encoded, value));
  }

  /** Writes a value with a durability. */
  public void put(K key, V value, Durability durability) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    store.put(encoded, codecs.encodeValue(encoded, value), durability);
  }

  /** Writes values that become durable and visible together. */
  public void putAll(Map<? extends K, ? extends V> entries) throws IOException {
    List<KeyValue> encoded = new ArrayList<>(Objects.requireNonNull(entries, "entries").size());
    for (Map.Entry<? extends K, ? extends V> entry : entries.entrySet()) {
      byte[] key = codecs.encodeKey(entry.getKey());
      encoded.add(new KeyValue(key, codecs.encodeValue(key, entry.getValue())));
    }
    store.putAll(encoded);
  }

  /** Adds a put to a batch of the same database, beside those of other stores and tables. */
  public void addPut(WriteBatch batch, K key, V value) {
    Objects.requireNonNull(batch, "batch");
    byte[] encoded = codecs.encodeKey(key);
    batch.put(store, encoded, codecs.encodeValue(encoded, value));
  }

  /** Adds the deletion of a key to a batch of the same database. */
  public void addDelete(WriteBatch batch, K key) {
    Objects.requireNonNull(batch, "batch").delete(store, codecs.encodeKey(key));
  }

  /** Writes a value unless the key has one, which is returned; null if it was written. */
  public @Nullable V putIfAbsent(K key, V value) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    byte[] found = store.putIfAbsent(encoded, codecs.encodeValue(encoded, value));
    return codecs.decodeValueOrNull(encoded, found);
  }

  /** Writes a value if the key has one, which is returned; null if it was not written. */
  public @Nullable V replace(K key, V value) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    byte[] next = codecs.encodeValue(encoded, value);
    return exchange(encoded, found -> found == null ? null : next);
  }

  /** Writes a value and returns the one before, or null if there was none. */
  public @Nullable V getAndPut(K key, V value) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    byte[] next = codecs.encodeValue(encoded, value);
    return exchange(encoded, found -> next);
  }

  /** Deletes a key and returns the value that it had, or null if it had none. */
  public @Nullable V getAndDelete(K key) throws IOException {
    return exchange(codecs.encodeKey(key), found -> null);
  }

  /**
   * Gives a key another value, atomically, and returns the one before. That is decoded first, so
   * that nothing changes if it cannot be.
   *
   * @param change returns null for no value
   */
  private @Nullable V exchange(byte[] key, Function<byte @Nullable [], byte @Nullable []> change)
      throws IOException {
    while (true) {
      byte[] found = value(key);
      V before = codecs.decodeValueOrNull(key, found);
      byte[] next = change.apply(found);
      if (found == null && next == null || store.compareAndSet(key, found, next)) {
        return before;
      }
    }
  }

  /**
   * Writes a value if the key has a certain one; returns whether it had. Values are compared by
   * their encodings.
   *
   * @param expected null if the key must have none
   * @param value null to delete the key
   */
  public boolean compareAndSet(K key, @Nullable V expected, @Nullable V value) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    return store.compareAndSet(
        encoded,
        expected == null ? null : codecs.encodeValue(encoded, expected),
        value == null ? null : codecs.encodeValue(encoded, value));
  }

  /** Deletes a key. */
  public void delete(K key) throws IOException {
    store.delete(codecs.encodeKey(key));
  }

  /** Deletes a key with a durability. */
  public void delete(K key, Durability durability) throws IOException {
    store.delete(codecs.encodeKey(key), durability);
  }

  /**
   * Deletes the keys from one, inclusive, to another, exclusive, all together and without reading;
   * null for open ends. See {@link KeyValueStore#deleteRange}.
   */
  public void deleteRange(@Nullable K from, @Nullable K to) throws IOException {
    deleteRange(rangeOf(from, to));
  }

  void deleteRange(KeyRange range) throws IOException {
    if (!range.isEmpty()) {
      store.deleteRange(range.start(), range.end());
    }
  }

  /** Deletes the first or last entry of a range and returns it, or null if there is none. */
  Map.@Nullable Entry<K, V> poll(KeyRange range, boolean reversed) throws IOException {
    while (true) {
      KeyValue found = firstOf(range, reversed);
      Map.Entry<K, V> entry = decoded(found);
      if (found == null || store.compareAndSet(found.key(), found.value(), null)) {
        return entry;
      }
    }
  }

  /** Returns whether a key has a value with the same encoding. */
  boolean has(K key, V value) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    return Arrays.equals(value(encoded), codecs.encodeValue(encoded, value));
  }

  /** Returns about how many bytes the store takes in memory and in sorted tables. */
  public long approximateBytes() throws IOException {
    return store.approximateBytes();
  }

  /**
   * Returns about how many keys there are: at least as many, since it counts also what was
   * overwritten or deleted and is still there. {@link #count} is exact and slow.
   */
  public long approximateCount() throws IOException {
    return store.approximateCount();
  }

  /**
   * Returns the store as a map, whose sub maps, descending maps and sets are views as well.
   *
   * <ul>
   *   <li>All is read from the store and written to it at once. Each write is atomic, also {@code
   *       compute}, {@code merge} and the like, whose function may be called several times. Values
   *       are compared by their encodings where something depends on a value.
   *   <li>{@code size()} counts by reading all entries; {@code clear()} is {@link #deleteRange}.
   *   <li>Iterators read some entries at a time, and so hold nothing that must be closed. As in
   *       every concurrent map they may or may not show what is written while they run; each key
   *       comes once, in order. They can remove. Entries are immutable.
   *   <li>{@code comparator()} is the order of the encodings.
   *   <li>An {@link IOException} becomes an {@link java.io.UncheckedIOException}. Null is refused
   *       by {@link NullPointerException}, a key outside of a sub map that is to be written by
   *       {@link IllegalArgumentException}, as by {@link java.util.TreeMap}.
   * </ul>
   */
  public ConcurrentNavigableMap<K, V> asMap() {
    return new StoreMap<>(this, KeyRange.ALL, false);
  }
}
