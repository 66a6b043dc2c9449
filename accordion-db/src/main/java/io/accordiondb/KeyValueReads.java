// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a key-value store, as of now or, from {@link KeyValueStore#at}, as of a {@link
 * Snapshot}. Thread-safe. Arrays that are passed in are not copied, the contents of buffers are.
 *
 * <pre>{@code
 * KeyValue next = carts.ceiling(key);
 * try (Snapshot yesterday = database.snapshot()) {
 *   byte[] before = carts.at(yesterday).get(key);
 * }
 * }</pre>
 */
public interface KeyValueReads {
  /** {@return the name of the store} */
  String name();

  /**
   * {@return the value of a key, or null}
   *
   * @param key the key, 1 to 32,767 bytes
   * @throws IOException if the storage fails
   */
  byte @Nullable [] get(byte[] key) throws IOException;

  /**
   * {@return the value of the key that remains in a buffer, or null}
   *
   * @param key a buffer whose remaining bytes are copied; its position does not move; the key has 1
   *     to 32,767 bytes
   * @throws IOException if the storage fails
   */
  default @Nullable ByteBuffer get(ByteBuffer key) throws IOException {
    byte[] value = get(Bytes.copyOf(key));
    return value == null ? null : ByteBuffer.wrap(value);
  }

  /**
   * {@return whether a key has a value}
   *
   * @param key the key, 1 to 32,767 bytes
   * @throws IOException if the storage fails
   */
  default boolean exists(byte[] key) throws IOException {
    return get(key) != null;
  }

  /**
   * {@return the values of several keys as of one moment, in the order of the keys; null for a key
   * without a value}
   *
   * @param keys the keys, each of 1 to 32,767 bytes
   * @throws IOException if the storage fails
   */
  List<byte @Nullable []> multiGet(List<byte[]> keys) throws IOException;

  /**
   * {@return a cursor over all keys} The caller must close it.
   *
   * @throws IOException if the storage fails
   */
  default KeyValueCursor cursor() throws IOException {
    return cursor(null, null);
  }

  /**
   * {@return a cursor over the keys from one, inclusive, to another, exclusive; null for an open
   * end} The caller must close it.
   *
   * @param from the first key, inclusive; null or empty for the beginning
   * @param to the key before which the range ends; null or empty for the end
   * @throws IOException if the storage fails
   */
  KeyValueCursor cursor(byte @Nullable [] from, byte @Nullable [] to) throws IOException;

  /**
   * {@return the entries from a key, inclusive, to another, exclusive, in ascending order; null for
   * an open end} The caller must close the iterator.
   *
   * @param from the first key, inclusive; null or empty for the beginning
   * @param to the key before which the range ends; null or empty for the end
   * @throws IOException if the storage fails
   */
  KeyValueIterator range(byte @Nullable [] from, byte @Nullable [] to) throws IOException;

  /**
   * Same as {@link #range}, in descending order.
   *
   * @param from the first key, inclusive; null or empty for the beginning
   * @param to the key before which the range ends; null or empty for the end
   * @return the iterator
   * @throws IOException if the storage fails
   */
  KeyValueIterator reverseRange(byte @Nullable [] from, byte @Nullable [] to) throws IOException;

  /**
   * {@return the entries whose keys begin with a prefix, in ascending order} The caller must close
   * the iterator.
   *
   * @param prefix the prefix; empty for all keys
   * @throws IOException if the storage fails
   */
  KeyValueIterator prefix(byte[] prefix) throws IOException;

  /**
   * {@return the entry with the lowest key, or null if the store is empty}
   *
   * @throws IOException if the storage fails
   */
  @Nullable KeyValue first() throws IOException;

  /**
   * {@return the entry with the highest key, or null if the store is empty}
   *
   * @throws IOException if the storage fails
   */
  @Nullable KeyValue last() throws IOException;

  /**
   * {@return the entry with the highest key at or below a key, or null if there is none}
   *
   * @param key the key, of any length; it need not exist
   * @throws IOException if the storage fails
   */
  @Nullable KeyValue floor(byte[] key) throws IOException;

  /**
   * {@return the entry with the lowest key at or above a key, or null if there is none}
   *
   * @param key the key, of any length; it need not exist
   * @throws IOException if the storage fails
   */
  @Nullable KeyValue ceiling(byte[] key) throws IOException;
}
