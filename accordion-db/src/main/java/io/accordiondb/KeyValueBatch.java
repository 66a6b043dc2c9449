// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes to a {@link KeyValueStore} that become durable and visible together. Not thread-safe. */
public interface KeyValueBatch {
  /**
   * Adds a put.
   *
   * @param key the key, 1 to 32,767 bytes; not copied
   * @param value the value; may be empty; not copied
   * @return this
   */
  KeyValueBatch put(byte[] key, byte[] value);

  /**
   * Adds a put of a value that expires; see {@link KeyValueStore#put(byte[], byte[], long)}.
   *
   * @param key the key, 1 to 32,767 bytes; not copied
   * @param value the value; may be empty; not copied
   * @param ttlMillis the time to live in milliseconds
   * @return this
   */
  KeyValueBatch put(byte[] key, byte[] value, long ttlMillis);

  /**
   * Adds an operand for the store's merge operator; see {@link KeyValueStore#merge}.
   *
   * @param key the key, 1 to 32,767 bytes; not copied
   * @param operand the operand, in the form that the merge operator expects; not copied
   * @return this
   */
  KeyValueBatch merge(byte[] key, byte[] operand);

  /**
   * Adds a delete.
   *
   * @param key the key, 1 to 32,767 bytes; not copied
   * @return this
   */
  KeyValueBatch delete(byte[] key);

  /**
   * Adds the deletion of the keys from one, inclusive, to another, exclusive; null for an open end.
   * It does not affect changes that are added to the batch after it.
   *
   * @param from the first key, inclusive; null or empty for the beginning
   * @param to the key before which the range ends; null or empty for the end
   * @return this
   */
  KeyValueBatch deleteRange(byte @Nullable [] from, byte @Nullable [] to);

  /** {@return the number of changes} */
  int size();

  /**
   * Writes the batch with the database's default durability, and clears it.
   *
   * @throws IOException if the storage fails
   */
  void commit() throws IOException;

  /**
   * Writes the batch, and clears it.
   *
   * @param durability what is guaranteed when the call returns
   * @throws IOException if the storage fails
   */
  void commit(Durability durability) throws IOException;
}
