// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import io.accordiondb.Durability;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Snapshot;
import io.accordiondb.ValueTooLargeException;
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
 * underlying store may be used at the same time, and a store may have any number of views.
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
 * <p>Each write is atomic. It has the database's default durability unless another one is passed.
 * Null arguments throw {@link NullPointerException}. If a {@link CodecException} is thrown, nothing
 * has changed: a write encodes and decodes everything it needs first. Only {@code putAll} and
 * {@code replaceAll} of {@link #asMap()} may have written earlier parts or entries. A key whose
 * encoding is empty never has a value; writing it throws {@link io.accordiondb.EmptyRowException}.
 * Nor has a key whose encoding is longer than 32,767 bytes; writing it throws {@link
 * io.accordiondb.RowTooLongException}.
 *
 * <p>{@link #replace}, {@link #getAndPut}, {@link #getAndDelete}, and {@code compute} and similar
 * methods of {@link #asMap()} start again if another write has changed the key since they read it.
 * No write waits for them. {@link #putIfAbsent}, {@link #compareAndSet} and {@link
 * KeyValueStore#increment} end however many other writes of the key there are.
 *
 * <p>The store does not record its codecs. Open it with the codecs with which it was written.
 */
public final class TypedStore<K, V> extends TypedReads<K, V> {
  private static final int PART_ENTRIES_MAX = 1024;
  private static final int PART_BYTES_MAX = 64 << 10;

  private final KeyValueStore store;

  private TypedStore(KeyValueStore store, StoreCodecs<K, V> codecs) {
    super(store, codecs);
    this.store = store;
  }

  /**
   * {@return a view of a store} It neither reads nor writes.
   *
   * @param <K> the type of keys
   * @param <V> the type of values
   * @param store the store that holds the encoded keys and values
   * @param keyCodec encodes the keys, and defines their order
   * @param valueCodec encodes the values
   */
  public static <K, V> TypedStore<K, V> of(
      KeyValueStore store, KeyCodec<K> keyCodec, Codec<V> valueCodec) {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(keyCodec, "keyCodec");
    Objects.requireNonNull(valueCodec, "valueCodec");
    return new TypedStore<>(store, new StoreCodecs<>(store.name(), keyCodec, valueCodec));
  }

  /**
   * {@return reads as of a snapshot, which can be used until the snapshot is closed}
   *
   * @param snapshot an open snapshot of the same database
   */
  public TypedReads<K, V> at(Snapshot snapshot) {
    return new TypedReads<>(store.at(snapshot), codecs);
  }

  /**
   * Writes a value.
   *
   * @param key the key; its encoding has 1 to 32,767 bytes
   * @param value the value, as the value codec accepts it
   * @throws IOException if the storage fails
   */
  public void put(K key, V value) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    store.put(encoded, codecs.encodeValue(encoded, value));
  }

  /**
   * Writes a value with a durability.
   *
   * @param key the key; its encoding has 1 to 32,767 bytes
   * @param value the value, as the value codec accepts it
   * @param durability what is guaranteed when the call returns
   * @throws IOException if the storage fails
   */
  public void put(K key, V value, Durability durability) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    store.put(encoded, codecs.encodeValue(encoded, value), durability);
  }

  /**
   * Writes several values atomically.
   *
   * @param entries the values by key
   * @throws IOException if the storage fails
   */
  public void putAll(Map<? extends K, ? extends V> entries) throws IOException {
    List<KeyValue> encoded = new ArrayList<>(Objects.requireNonNull(entries, "entries").size());
    for (Map.Entry<? extends K, ? extends V> entry : entries.entrySet()) {
      byte[] key = codecs.encodeKey(entry.getKey());
      encoded.add(new KeyValue(key, codecs.encodeValue(key, entry.getValue())));
    }
    store.putAll(encoded);
  }

  /** Writes any number of values, in parts that are atomic. */
  void putInParts(Map<? extends K, ? extends V> entries) throws IOException {
    List<KeyValue> part = new ArrayList<>();
    long partBytes = 0;
    for (Map.Entry<? extends K, ? extends V> entry : entries.entrySet()) {
      byte[] key = codecs.encodeKey(entry.getKey());
      byte[] value = codecs.encodeValue(key, entry.getValue());
      int bytes = key.length + value.length;
      if (part.size() == PART_ENTRIES_MAX || partBytes + bytes > PART_BYTES_MAX) {
        putPart(part);
        part.clear();
        partBytes = 0;
      }
      part.add(new KeyValue(key, value));
      partBytes += bytes;
    }
    putPart(part);
  }

  private void putPart(List<KeyValue> part) throws IOException {
    try {
      store.putAll(part);
    } catch (ValueTooLargeException e) {
      if (part.size() < 2) {
        throw e;
      }
      putPart(part.subList(0, part.size() / 2));
      putPart(part.subList(part.size() / 2, part.size()));
    }
  }

  /**
   * Adds a put to a batch of the same database, which may have changes of other stores and tables.
   *
   * @param batch a batch for the database of the store
   * @param key the key; its encoding has 1 to 32,767 bytes
   * @param value the value, as the value codec accepts it
   */
  public void addPut(WriteBatch batch, K key, V value) {
    Objects.requireNonNull(batch, "batch");
    byte[] encoded = codecs.encodeKey(key);
    batch.put(store, encoded, codecs.encodeValue(encoded, value));
  }

  /**
   * Adds the deletion of a key to a batch of the same database.
   *
   * @param batch a batch for the database of the store
   * @param key the key; its encoding has 1 to 32,767 bytes
   */
  public void addDelete(WriteBatch batch, K key) {
    Objects.requireNonNull(batch, "batch").delete(store, codecs.encodeKey(key));
  }

  /**
   * Writes a value if the key has none. Returns the existing value, or null if the new value was
   * written.
   *
   * @param key the key; its encoding has 1 to 32,767 bytes
   * @param value the value, as the value codec accepts it
   * @return the existing value, or null if the new value was written
   * @throws IOException if the storage fails
   */
  public @Nullable V putIfAbsent(K key, V value) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    byte[] found = store.putIfAbsent(encoded, codecs.encodeValue(encoded, value));
    return codecs.decodeValueOrNull(encoded, found);
  }

  /**
   * Writes a value if the key has one already. Returns the value before, or null if nothing was
   * written.
   *
   * @param key the key; its encoding has 1 to 32,767 bytes
   * @param value the value, as the value codec accepts it
   * @return the value before, or null if nothing was written
   * @throws IOException if the storage fails
   */
  public @Nullable V replace(K key, V value) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    byte[] next = codecs.encodeValue(encoded, value);
    return exchange(encoded, found -> found == null ? null : next);
  }

  /**
   * Writes a value and returns the one before, or null if there was none.
   *
   * @param key the key; its encoding has 1 to 32,767 bytes
   * @param value the value, as the value codec accepts it
   * @return the value before, or null if there was none
   * @throws IOException if the storage fails
   */
  public @Nullable V getAndPut(K key, V value) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    byte[] next = codecs.encodeValue(encoded, value);
    return exchange(encoded, found -> next);
  }

  /**
   * Deletes a key and returns the value that it had, or null if it had none.
   *
   * @param key the key; its encoding has 1 to 32,767 bytes
   * @return the value before, or null if there was none
   * @throws IOException if the storage fails
   */
  public @Nullable V getAndDelete(K key) throws IOException {
    return exchange(codecs.encodeKey(key), found -> null);
  }

  /**
   * Changes the value of a key atomically, and returns the value before. That one is decoded first,
   * so nothing changes if it cannot be decoded.
   *
   * @param change computes the new value from the present one, null if there is none; returns null
   *     to delete the key
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
   * Changes the value of a key atomically, and returns the new one. What is stored is compared as
   * bytes, because the codec may encode the same value in another way than before. The function may
   * change an array that it receives.
   *
   * @param change computes the new value from the present one, null if there is none; returns null
   *     to delete the key
   */
  @Nullable V compute(K key, Function<@Nullable V, @Nullable V> change) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    while (true) {
      byte[] found = value(encoded);
      byte[] decoded = found == null ? null : found.clone();
      V next = change.apply(codecs.decodeValueOrNull(encoded, decoded));
      byte[] bytes = next == null ? null : codecs.encodeValue(encoded, next);
      if (found == null && bytes == null || store.compareAndSet(encoded, found, bytes)) {
        return next;
      }
    }
  }

  /**
   * Writes a value if the key has the expected one. Returns whether it had. Values are compared by
   * their encodings.
   *
   * @param expected the expected value; null if the key must have none
   * @param value the new value; null to delete the key
   * @param key the key; its encoding has 1 to 32,767 bytes
   * @return whether the key had the expected value
   * @throws IOException if the storage fails
   */
  public boolean compareAndSet(K key, @Nullable V expected, @Nullable V value) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    return store.compareAndSet(
        encoded,
        expected == null ? null : codecs.encodeValue(encoded, expected),
        value == null ? null : codecs.encodeValue(encoded, value));
  }

  /**
   * Deletes a key.
   *
   * @param key the key; its encoding has 1 to 32,767 bytes
   * @throws IOException if the storage fails
   */
  public void delete(K key) throws IOException {
    store.delete(codecs.encodeKey(key));
  }

  /**
   * Deletes a key with a durability.
   *
   * @param key the key; its encoding has 1 to 32,767 bytes
   * @param durability what is guaranteed when the call returns
   * @throws IOException if the storage fails
   */
  public void delete(K key, Durability durability) throws IOException {
    store.delete(codecs.encodeKey(key), durability);
  }

  /**
   * Deletes all keys from one, inclusive, to another, exclusive, atomically and without reading;
   * null for an open end. See {@link KeyValueStore#deleteRange}.
   *
   * @param from the first key, inclusive; null for the beginning
   * @param to the key before which the range ends; null for the end
   * @throws IOException if the storage fails
   */
  public void deleteRange(@Nullable K from, @Nullable K to) throws IOException {
    deleteRange(rangeOf(from, to));
  }

  void deleteRange(KeyRange range) throws IOException {
    // The deletion of an empty range throws what others throw.
    store.deleteRange(startOf(range), endOf(range));
  }

  /** Deletes the first or last entry of a range and returns it, or null if there is none. */
  Map.@Nullable Entry<K, V> poll(KeyRange range, boolean reversed) throws IOException {
    while (true) {
      KeyValue found = firstOf(range, reversed);
      Map.Entry<K, V> entry = decoded(found);
      if (found == null || deleteIfUnchanged(found)) {
        return entry;
      }
    }
  }

  /** Deletes an encoded key if it still has its value; returns whether it had. */
  boolean deleteIfUnchanged(KeyValue entry) throws IOException {
    return store.compareAndSet(entry.key(), entry.value(), null);
  }

  void deleteEncoded(byte[] key) throws IOException {
    store.delete(key);
  }

  /** Returns whether a key has a value with the same encoding. */
  boolean has(K key, V value) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    return Arrays.equals(value(encoded), codecs.encodeValue(encoded, value));
  }

  /**
   * {@return an estimate of the bytes that the store takes in memory and in sorted tables}
   *
   * @throws IOException if the storage fails
   */
  public long approximateBytes() throws IOException {
    return store.approximateBytes();
  }

  /**
   * {@return an estimate of the number of keys} It is never too low: overwritten and deleted keys
   * count until they are dropped. {@link #count} is exact and slow.
   *
   * @throws IOException if the storage fails
   */
  public long approximateCount() throws IOException {
    return store.approximateCount();
  }

  /**
   * {@return the store as a map, whose sub maps, descending maps and sets are views as well}
   *
   * <ul>
   *   <li>Everything is read from the store and written to it at once. Each write is atomic,
   *       including {@code compute}, {@code merge} and similar methods, whose function may be
   *       called several times. Values are compared by their encodings.
   *   <li>{@code size()} counts by reading all entries; {@code clear()} is {@link #deleteRange}.
   *       {@code putAll} reads nothing and writes as {@link #putAll} does, in parts that are
   *       atomic; so unlike {@code put}, it does not replace a value that is dated ahead.
   *   <li>Iterators read some entries at a time, so they need not be closed, and return those even
   *       after the database was. As in every concurrent map they may or may not show concurrent
   *       writes; each key is returned once, in order. They can remove. Entries are immutable.
   *   <li>{@code comparator()} is the order of the encodings.
   *   <li>An {@link IOException} becomes an {@link java.io.UncheckedIOException}. Null arguments
   *       throw {@link NullPointerException}; writing a key outside of a sub map throws {@link
   *       IllegalArgumentException}, as in {@link java.util.TreeMap}. A key or value that its codec
   *       refuses throws {@link CodecException}, also in {@code get} and {@code containsKey}.
   * </ul>
   */
  public ConcurrentNavigableMap<K, V> asMap() {
    return new StoreMap<>(this, KeyRange.ALL, false);
  }
}
