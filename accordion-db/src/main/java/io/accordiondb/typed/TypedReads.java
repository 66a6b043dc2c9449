// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import io.accordiondb.CellLimits;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueReads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a {@link TypedStore}, as of now or, from {@link TypedStore#at}, as of a snapshot.
 * Thread-safe. Keys come in the order of their codec. Entries are immutable.
 *
 * <p>Methods throw {@link CodecException} for a key that cannot be encoded, and for a key or value
 * in the store that cannot be decoded, and {@link IOException} as {@link KeyValueReads} does.
 */
public sealed class TypedReads<K, V> permits TypedStore {
  /** The range from a key to itself is empty; an empty key would mean an open end. */
  private static final byte[] SOME_KEY = {0};

  final StoreCodecs<K, V> codecs;
  private final KeyValueReads reads;

  TypedReads(KeyValueReads reads, StoreCodecs<K, V> codecs) {
    this.reads = reads;
    this.codecs = codecs;
  }

  /** {@return the name of the store} */
  public final String name() {
    return reads.name();
  }

  /**
   * {@return the value of a key, or null}
   *
   * @param key the key, as the key codec accepts it
   * @throws IOException if the storage fails
   */
  public final @Nullable V get(K key) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    return codecs.decodeValueOrNull(encoded, value(encoded));
  }

  /** Returns the encoded value of an encoded key, or null. */
  final byte @Nullable [] value(byte[] key) throws IOException {
    return mayBeStored(key) ? reads.get(key) : null;
  }

  /** Returns whether a key has a length that can be written, and so may have a value. */
  private static boolean mayBeStored(byte[] key) {
    return key.length > 0 && key.length <= CellLimits.ROW_BYTES_MAX;
  }

  /**
   * {@return whether a key has a value} The value is not decoded.
   *
   * @param key the key, as the key codec accepts it
   * @throws IOException if the storage fails
   */
  public final boolean exists(K key) throws IOException {
    byte[] encoded = codecs.encodeKey(key);
    return mayBeStored(encoded) && reads.exists(encoded);
  }

  /**
   * {@return the values of several keys as of one moment, in the order of the keys; null for a key
   * without a value}
   *
   * @param keys the keys, as the key codec accepts them
   * @throws IOException if the storage fails
   */
  public final List<@Nullable V> multiGet(List<? extends K> keys) throws IOException {
    List<byte[]> encoded = new ArrayList<>(Objects.requireNonNull(keys, "keys").size());
    for (K key : keys) {
      encoded.add(codecs.encodeKey(key));
    }
    List<byte[]> asked = encoded.stream().filter(TypedReads::mayBeStored).toList();
    Iterator<byte @Nullable []> found = reads.multiGet(asked).iterator();
    List<@Nullable V> values = new ArrayList<>(encoded.size());
    for (byte[] key : encoded) {
      values.add(mayBeStored(key) ? codecs.decodeValueOrNull(key, found.next()) : null);
    }
    return values;
  }

  /**
   * {@return the entries from a key, inclusive, to another, exclusive, in ascending order; null for
   * an open end} The range is empty if the first key is not lower than the other.
   *
   * @param from the first key, inclusive; null for the beginning
   * @param to the key before which the range ends; null for the end
   * @throws IOException if the storage fails
   */
  public final TypedIterator<K, V> range(@Nullable K from, @Nullable K to) throws IOException {
    return new DecodingIterator(open(rangeOf(from, to), false));
  }

  /**
   * Same as {@link #range}, in descending order.
   *
   * @param from the first key, inclusive; null for the beginning
   * @param to the key before which the range ends; null for the end
   * @return the iterator
   * @throws IOException if the storage fails
   */
  public final TypedIterator<K, V> reverseRange(@Nullable K from, @Nullable K to)
      throws IOException {
    return new DecodingIterator(open(rangeOf(from, to), true));
  }

  /**
   * {@return the entries whose keys begin with a prefix, in ascending order}
   *
   * @param prefix the prefix, for keys of the same codec
   * @throws IOException if the storage fails
   */
  public final TypedIterator<K, V> prefix(KeyPrefix<K> prefix) throws IOException {
    return new DecodingIterator(open(Objects.requireNonNull(prefix, "prefix").range(), false));
  }

  /**
   * {@return the entries whose keys begin with a prefix, in descending order}
   *
   * @param prefix the prefix, for keys of the same codec
   * @throws IOException if the storage fails
   */
  public final TypedIterator<K, V> reversePrefix(KeyPrefix<K> prefix) throws IOException {
    return new DecodingIterator(open(Objects.requireNonNull(prefix, "prefix").range(), true));
  }

  /**
   * {@return the first entry, or null if there is none}
   *
   * @throws IOException if the storage fails
   */
  public final Map.@Nullable Entry<K, V> first() throws IOException {
    return decoded(firstOf(KeyRange.ALL, false));
  }

  /**
   * {@return the last entry, or null if there is none}
   *
   * @throws IOException if the storage fails
   */
  public final Map.@Nullable Entry<K, V> last() throws IOException {
    return decoded(firstOf(KeyRange.ALL, true));
  }

  /**
   * {@return the last entry at or before a key, or null if there is none}
   *
   * @param key the key, as the key codec accepts it
   * @throws IOException if the storage fails
   */
  public final Map.@Nullable Entry<K, V> floor(K key) throws IOException {
    return decoded(firstOf(KeyRange.ALL.atMost(codecs.encodeKey(key), true), true));
  }

  /**
   * {@return the first entry at or after a key, or null if there is none}
   *
   * @param key the key, as the key codec accepts it
   * @throws IOException if the storage fails
   */
  public final Map.@Nullable Entry<K, V> ceiling(K key) throws IOException {
    return decoded(firstOf(KeyRange.ALL.atLeast(codecs.encodeKey(key), true), false));
  }

  /**
   * {@return the number of entries, by reading all of them without decoding}
   *
   * @throws IOException if the storage fails
   */
  public final long count() throws IOException {
    return count(KeyRange.ALL);
  }

  final long count(KeyRange range) throws IOException {
    try (KeyValueIterator entries = open(range, false)) {
      long count = 0;
      while (entries.hasNext()) {
        entries.next();
        count++;
      }
      return count;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Returns the first or the last entry of a range, or null if there is none. */
  final @Nullable KeyValue firstOf(KeyRange range, boolean reversed) throws IOException {
    try (KeyValueIterator entries = open(range, reversed)) {
      return entries.hasNext() ? entries.next() : null;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Opens a range of encoded entries, in either direction. */
  final KeyValueIterator open(KeyRange range, boolean reversed) throws IOException {
    // The iterator over an empty range throws what others throw.
    byte[] start = startOf(range);
    byte[] end = endOf(range);
    return reversed ? reads.reverseRange(start, end) : reads.range(start, end);
  }

  /** Returns the first key of a range; if that is empty, the same key as {@link #endOf}. */
  static byte @Nullable [] startOf(KeyRange range) {
    return range.isEmpty() ? SOME_KEY : range.start();
  }

  /** Returns the key before which a range ends. */
  static byte @Nullable [] endOf(KeyRange range) {
    return range.isEmpty() ? SOME_KEY : range.end();
  }

  final KeyRange rangeOf(@Nullable K from, @Nullable K to) {
    return KeyRange.between(codecs.encodeKeyOrNull(from), codecs.encodeKeyOrNull(to));
  }

  final Map.@Nullable Entry<K, V> decoded(@Nullable KeyValue entry) {
    return entry == null ? null : codecs.decode(entry);
  }

  private final class DecodingIterator implements TypedIterator<K, V> {
    private final KeyValueIterator entries;

    DecodingIterator(KeyValueIterator entries) {
      this.entries = entries;
    }

    @Override
    public boolean hasNext() {
      return entries.hasNext();
    }

    @Override
    public Map.Entry<K, V> next() {
      return codecs.decode(entries.next());
    }

    @Override
    public void close() {
      entries.close();
    }
  }
}
