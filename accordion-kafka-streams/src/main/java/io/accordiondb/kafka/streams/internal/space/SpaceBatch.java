// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import io.accordiondb.Durability;
import io.accordiondb.KeyValueBatch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Collects writes to the spaces of a store and commits them, in parts that become visible. */
public final class SpaceBatch {
  /** What the database may count for a write besides its key and value, and more. */
  private static final int WRITE_BYTES = 128;

  private final TaskStore store;
  private final OpenDatabase database;
  private final KeyValueBatch batch;
  private final Durability durability;
  private final int partBytesMax;
  private int bytes;

  /**
   * Begins an empty batch.
   *
   * @param partBytesMax what is committed together at most, unless one write is larger
   */
  SpaceBatch(TaskStore store, OpenDatabase database, Durability durability, int partBytesMax) {
    this.store = store;
    this.database = database;
    this.batch = database.cells().writeBatch();
    this.durability = durability;
    this.partBytesMax = partBytesMax;
  }

  /** Adds a put, or a delete if the value is null. */
  public void put(KeySpace space, byte[] key, byte @Nullable [] value) {
    byte[] physical = space.physical(key);
    int added = physical.length + (value == null ? 0 : value.length) + WRITE_BYTES;
    if (added > partBytesMax - bytes) {
      commit();
    }
    try {
      if (value == null) {
        batch.delete(physical);
      } else {
        batch.put(physical, value);
      }
    } catch (IllegalArgumentException e) {
      throw store.failed("adding to a batch", e);
    }
    bytes += added;
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
    store.noteWrite(database);
  }
}
