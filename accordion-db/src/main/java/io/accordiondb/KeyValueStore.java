// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values in the order of the keys: a table whose rows have one column without a name.
 * Thread-safe. Arrays are not copied; what comes in a buffer is.
 */
public interface KeyValueStore {
  /** The name of the only family of the table below. */
  String FAMILY = "v";

  /** Returns the name. */
  String name();

  /** Returns the value of a key, or null. */
  byte @Nullable [] get(byte[] key) throws IOException;

  /** Returns the value of a key as of a snapshot, or null. */
  byte @Nullable [] get(byte[] key, Snapshot snapshot) throws IOException;

  /** Returns the value of the key that remains in a buffer, or null. */
  default @Nullable ByteBuffer get(ByteBuffer key) throws IOException {
    byte[] value = get(Bytes.copyOf(key));
    return value == null ? null : ByteBuffer.wrap(value);
  }

  /**
   * Returns the values of several keys as of one moment, in their order, null where there is none.
   */
  List<byte @Nullable []> multiGet(List<byte[]> keys) throws IOException;

  /** Writes a value with the database's default durability. */
  void put(byte[] key, byte[] value) throws IOException;

  /** Writes a value. */
  void put(byte[] key, byte[] value, Durability durability) throws IOException;

  /** Writes what remains in two buffers. */
  default void put(ByteBuffer key, ByteBuffer value) throws IOException {
    put(Bytes.copyOf(key), Bytes.copyOf(value));
  }

  /** Deletes a key with the database's default durability. */
  void delete(byte[] key) throws IOException;

  /** Deletes a key. */
  void delete(byte[] key, Durability durability) throws IOException;

  /** Adds to the number that is a key's value, atomically, and returns the sum. */
  long increment(byte[] key, long amount) throws IOException;

  /** Returns the keys from one, inclusive, to another, exclusive, ascending; null for open ends. */
  KeyValueIterator range(byte @Nullable [] from, byte @Nullable [] to) throws IOException;

  /** Returns the keys of the same range, descending. */
  KeyValueIterator reverseRange(byte @Nullable [] from, byte @Nullable [] to) throws IOException;

  /** Returns the keys that begin with a prefix, ascending. */
  KeyValueIterator prefix(byte[] prefix) throws IOException;

  /** Returns an empty batch. */
  KeyValueBatch writeBatch();
}
