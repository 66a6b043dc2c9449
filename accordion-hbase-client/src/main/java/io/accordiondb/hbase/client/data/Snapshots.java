// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Snapshot;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Gives reads of several steps one moment. */
@FunctionalInterface
interface Snapshots {
  /** For a table of a transaction, whose reads all see the moment at which it began. */
  Snapshots OF_TRANSACTION = () -> new Held(null);

  /** Takes a snapshot. */
  Held take() throws IOException;

  /**
   * A snapshot that is held until it is closed.
   *
   * @param snapshot null if the table has one moment by itself
   */
  record Held(@Nullable Snapshot snapshot) implements AutoCloseable {
    @Override
    public void close() {
      if (snapshot != null) {
        snapshot.close();
      }
    }
  }
}
