// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values in the order of the keys: a table whose rows have one column without a name.
 * Thread-safe. Arrays are not copied; what comes in a buffer is.
 *
 * <p>Each write is atomic and, unless it says otherwise, as durable as the database's default is.
 */
public interface KeyValueStore extends KeyValueReads {
  /** The name of the only family of the table below. */
  String FAMILY = "v";

  /** Returns the reads as of a snapshot, for as long as that is open. */
  KeyValueReads at(Snapshot snapshot);

  /** Writes a value. */
  void put(byte[] key, byte[] value) throws IOException;

  /** Writes a value with a durability. */
  void put(byte[] key, byte[] value, Durability durability) throws IOException;

  /** Writes what remains in two buffers. */
  default void put(ByteBuffer key, ByteBuffer value) throws IOException {
    put(Bytes.copyOf(key), Bytes.copyOf(value));
  }

  /** Writes values that become durable and visible together; of equal keys the last one stays. */
  void putAll(Collection<KeyValue> entries) throws IOException;

  /** Writes a value unless the key has one, which is returned; null if it was written. */
  byte @Nullable [] putIfAbsent(byte[] key, byte[] value) throws IOException;

  /** Writes a value if the key has one, which is returned; null if it was not written. */
  byte @Nullable [] replace(byte[] key, byte[] value) throws IOException;

  /**
   * Writes a value if the key has a certain one; returns whether it had.
   *
   * @param expected null if the key must have none
   * @param value null to delete the key
   */
  boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] value)
      throws IOException;

  /** Writes a value and returns the one before, or null if there was none. */
  byte @Nullable [] getAndPut(byte[] key, byte[] value) throws IOException;

  /** Deletes a key. */
  void delete(byte[] key) throws IOException;

  /** Deletes a key with a durability. */
  void delete(byte[] key, Durability durability) throws IOException;

  /**
   * Deletes the keys from one, inclusive, to another, exclusive, all together; null for open ends.
   * It reads nothing and takes the same time however many keys there are; see {@link DeleteRange}.
   * Within a transaction it reads the keys, and deletes them one by one.
   */
  void deleteRange(byte @Nullable [] from, byte @Nullable [] to) throws IOException;

  /** Adds to the number that is a key's value, atomically, and returns the sum. */
  long increment(byte[] key, long amount) throws IOException;

  /**
   * Writes an operand for a key, without reading: the store's merge operator combines it with the
   * key's value when that is read, flushed or compacted.
   *
   * @throws IllegalArgumentException if the store was created without a merge operator
   */
  void merge(byte[] key, byte[] operand) throws IOException;

  /** Returns an empty batch. */
  KeyValueBatch writeBatch();

  /** Returns about how many bytes the store takes in memory and in sorted tables. */
  long approximateBytes() throws IOException;

  /**
   * Returns about how many keys there are: at least as many, since it counts also what was
   * overwritten or deleted and is still there.
   */
  long approximateCount() throws IOException;
}
