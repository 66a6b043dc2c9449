// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes to a {@link KeyValueStore} that become durable and visible together. Not thread-safe. */
public interface KeyValueBatch {
  /** Adds a put. */
  KeyValueBatch put(byte[] key, byte[] value);

  /** Adds an operand for the store's merge operator; see {@link KeyValueStore#merge}. */
  KeyValueBatch merge(byte[] key, byte[] operand);

  /** Adds a delete. */
  KeyValueBatch delete(byte[] key);

  /**
   * Adds the deletion of the keys from one, inclusive, to another, exclusive; null for open ends.
   * It spares what the batch writes after it.
   */
  KeyValueBatch deleteRange(byte @Nullable [] from, byte @Nullable [] to);

  /** Returns the number of changes. */
  int size();

  /** Writes and empties the batch, with the database's default durability. */
  void commit() throws IOException;

  /** Writes and empties the batch. */
  void commit(Durability durability) throws IOException;
}
