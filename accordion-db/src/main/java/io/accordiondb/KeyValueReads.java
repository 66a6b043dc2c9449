// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads of keys and values in the order of the keys, as they are now, or as of a {@link Snapshot}:
 * {@link KeyValueStore#at}. Thread-safe. Arrays are not copied; what comes in a buffer is.
 *
 * <pre>{@code
 * KeyValue next = carts.ceiling(key);
 * try (Snapshot yesterday = database.snapshot()) {
 *   byte[] before = carts.at(yesterday).get(key);
 * }
 * }</pre>
 */
public interface KeyValueReads {
  /** Returns the name of the store. */
  String name();

  /** Returns the value of a key, or null. */
  byte @Nullable [] get(byte[] key) throws IOException;

  /** Returns the value of the key that remains in a buffer, or null. */
  default @Nullable ByteBuffer get(ByteBuffer key) throws IOException {
    byte[] value = get(Bytes.copyOf(key));
    return value == null ? null : ByteBuffer.wrap(value);
  }

  /** Returns whether a key has a value. */
  default boolean exists(byte[] key) throws IOException {
    return get(key) != null;
  }

  /**
   * Returns the values of several keys as of one moment, in their order, null where there is none.
   */
  List<byte @Nullable []> multiGet(List<byte[]> keys) throws IOException;

  /** Returns a cursor over all keys; to be closed. */
  default KeyValueCursor cursor() throws IOException {
    return cursor(null, null);
  }

  /**
   * Returns a cursor over the keys from one, inclusive, to another, exclusive; null for open ends;
   * to be closed.
   */
  KeyValueCursor cursor(byte @Nullable [] from, byte @Nullable [] to) throws IOException;

  /** Returns the keys from one, inclusive, to another, exclusive, ascending; null for open ends. */
  KeyValueIterator range(byte @Nullable [] from, byte @Nullable [] to) throws IOException;

  /** Returns the keys of the same range, descending. */
  KeyValueIterator reverseRange(byte @Nullable [] from, byte @Nullable [] to) throws IOException;

  /** Returns the keys that begin with a prefix, ascending. */
  KeyValueIterator prefix(byte[] prefix) throws IOException;

  /** Returns the first key with its value, or null if there is none. */
  @Nullable KeyValue first() throws IOException;

  /** Returns the last key with its value, or null if there is none. */
  @Nullable KeyValue last() throws IOException;

  /** Returns the last key at or before another one with its value, or null if there is none. */
  @Nullable KeyValue floor(byte[] key) throws IOException;

  /** Returns the first key at or after another one with its value, or null if there is none. */
  @Nullable KeyValue ceiling(byte[] key) throws IOException;
}
