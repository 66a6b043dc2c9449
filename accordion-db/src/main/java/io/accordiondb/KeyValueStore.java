// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map from keys to values, both byte arrays. Keys are ordered as unsigned bytes. It is a
 * table whose rows have one column without a name. Thread-safe. Arrays that are passed in are not
 * copied and must not change during the call; the contents of buffers are copied.
 *
 * <p>Each write is atomic. It has the database's default durability unless another one is passed.
 */
public interface KeyValueStore extends KeyValueReads {
  /**
   * The name of the family of the underlying table, which a new store creates as the only one. If
   * there are others, {@link #deleteRange} deletes rows in all of them.
   */
  String FAMILY = "v";

  /**
   * {@return reads as of a snapshot, which can be used until the snapshot is closed}
   *
   * @param snapshot an open snapshot of the same database
   */
  KeyValueReads at(Snapshot snapshot);

  /**
   * Writes a value.
   *
   * @param key the key, 1 to 32,767 bytes
   * @param value the value; may be empty
   * @throws IOException if the storage fails
   */
  void put(byte[] key, byte[] value) throws IOException;

  /**
   * Writes a value with a durability.
   *
   * @param key the key, 1 to 32,767 bytes
   * @param value the value; may be empty
   * @param durability what is guaranteed when the call returns
   * @throws IOException if the storage fails
   */
  void put(byte[] key, byte[] value, Durability durability) throws IOException;

  /**
   * Writes a value that expires, as {@link Put#setTtlMillis} says.
   *
   * @param ttlMillis time to live in milliseconds from now on, 1 or more
   * @param key the key, 1 to 32,767 bytes
   * @param value the value; may be empty
   * @throws IOException if the storage fails
   */
  void put(byte[] key, byte[] value, long ttlMillis) throws IOException;

  /**
   * Writes what remains in two buffers.
   *
   * @param key a buffer whose remaining bytes are copied; its position does not move; the key has 1
   *     to 32,767 bytes
   * @param value a buffer whose remaining bytes are copied; its position does not move
   * @throws IOException if the storage fails
   */
  default void put(ByteBuffer key, ByteBuffer value) throws IOException {
    put(Bytes.copyOf(key), Bytes.copyOf(value));
  }

  /**
   * Writes several values atomically. If a key occurs more than once, its last value is stored.
   *
   * @param entries the keys and values; the later of two equal keys wins
   * @throws IOException if the storage fails
   */
  void putAll(Collection<KeyValue> entries) throws IOException;

  /**
   * Writes a value if the key has none. Returns the existing value, or null if the new value was
   * written.
   *
   * @param key the key, 1 to 32,767 bytes
   * @param value the value; may be empty
   * @return the existing value, or null if the new value was written
   * @throws IOException if the storage fails
   */
  byte @Nullable [] putIfAbsent(byte[] key, byte[] value) throws IOException;

  /**
   * Writes a value if the key has one already. Returns the value before, or null if nothing was
   * written.
   *
   * @param key the key, 1 to 32,767 bytes
   * @param value the value; may be empty
   * @return the value before, or null if nothing was written
   * @throws IOException if the storage fails
   */
  byte @Nullable [] replace(byte[] key, byte[] value) throws IOException;

  /**
   * Writes a value if the key has the expected one. Returns whether it had.
   *
   * @param expected the expected value; null if the key must have none
   * @param value the new value; null to delete the key
   * @param key the key, 1 to 32,767 bytes
   * @return whether the key had the expected value
   * @throws IOException if the storage fails
   */
  boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] value)
      throws IOException;

  /**
   * Writes a value and returns the one before, or null if there was none.
   *
   * @param key the key, 1 to 32,767 bytes
   * @param value the value; may be empty
   * @return the value before, or null if there was none
   * @throws IOException if the storage fails
   */
  byte @Nullable [] getAndPut(byte[] key, byte[] value) throws IOException;

  /**
   * Deletes a key.
   *
   * @param key the key, 1 to 32,767 bytes
   * @throws IOException if the storage fails
   */
  void delete(byte[] key) throws IOException;

  /**
   * Deletes a key with a durability.
   *
   * @param key the key, 1 to 32,767 bytes
   * @param durability what is guaranteed when the call returns
   * @throws IOException if the storage fails
   */
  void delete(byte[] key, Durability durability) throws IOException;

  /**
   * Deletes all keys from one, inclusive, to another, exclusive, atomically; null for an open end.
   * It reads nothing and takes the same time for any number of keys; see {@link DeleteRange}. In a
   * transaction it reads the keys and deletes them one by one.
   *
   * @param from the first key, inclusive; null or empty for the beginning
   * @param to the key before which the range ends; null or empty for the end
   * @throws IOException if the storage fails
   */
  void deleteRange(byte @Nullable [] from, byte @Nullable [] to) throws IOException;

  /**
   * Adds to the number that is a key's value, atomically, and returns the sum. The number is stored
   * as eight bytes, big-endian, as {@link ByteBuffer#putLong(long)} writes it; a key without a
   * value counts as 0, and sums wrap around.
   *
   * @param key the key, 1 to 32,767 bytes
   * @param amount the amount to add; may be negative
   * @return the sum
   * @throws IllegalArgumentException if the stored value does not have eight bytes
   * @throws IOException if the storage fails
   */
  long increment(byte[] key, long amount) throws IOException;

  /**
   * Writes an operand for a key, without reading. The store's merge operator combines it with the
   * key's value when the value is read, flushed or compacted.
   *
   * @param key the key, 1 to 32,767 bytes
   * @param operand the operand, in the form that the merge operator expects
   * @throws IllegalArgumentException if the store was created without a merge operator
   * @throws IOException if the storage fails
   */
  void merge(byte[] key, byte[] operand) throws IOException;

  /** {@return an empty batch} */
  KeyValueBatch writeBatch();

  /**
   * {@return an estimate of the bytes that the store takes in memory and in sorted tables}
   *
   * @throws IOException if the storage fails
   */
  long approximateBytes() throws IOException;

  /**
   * {@return an estimate of the number of keys} It is never too low: overwritten and deleted keys
   * count until they are dropped. The writes of an open transaction do not count.
   *
   * @throws IOException if the storage fails
   */
  long approximateCount() throws IOException;
}
