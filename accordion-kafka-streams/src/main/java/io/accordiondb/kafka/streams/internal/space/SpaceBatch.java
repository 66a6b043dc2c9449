// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import io.accordiondb.Durability;
import io.accordiondb.KeyValueBatch;
import io.accordiondb.KeyValueStore;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Collects writes to the spaces of a store and commits them together, or in parts if there are
 * many.
 */
public final class SpaceBatch {
  /** Bytes from which a part is committed, well below what the smallest database takes. */
  private static final int PART_BYTES = 256 << 10;

  private final TaskStore store;
  private final KeyValueBatch batch;
  private final Durability durability;
  private int bytes;

  SpaceBatch(TaskStore store, KeyValueStore cells, Durability durability) {
    this.store = store;
    this.batch = cells.writeBatch();
    this.durability = durability;
  }

  /** Adds a put, or a delete if the value is null. */
  public void put(KeySpace space, byte[] key, byte @Nullable [] value) {
    byte[] physical = space.physical(key);
    try {
      if (value == null) {
        batch.delete(physical);
      } else {
        batch.put(physical, value);
        bytes += value.length;
      }
    } catch (IllegalArgumentException e) {
      throw store.failed("adding to a batch", e);
    }
    bytes += physical.length;
    if (bytes >= PART_BYTES) {
      commit();
    }
  }

  /** Commits what has been added. */
  public void commit() {
    if (batch.size() == 0) {
      return;
    }
    try {
      batch.commit(durability);
    } catch (IOException | IllegalStateException | IllegalArgumentException e) {
      throw store.failed("writing a batch", e);
    }
    bytes = 0;
    store.noteWrite();
  }
}
