// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;

/**
 * A moment of the whole database, over all tables and regions. Reads as of it see what was visible
 * then and nothing later. It keeps old versions from being dropped until it is closed. It does not
 * keep tables and families from being dropped or truncated: to read those as of an earlier moment
 * throws {@link HistoryLostException}, also once they have been created again. Thread-safe.
 *
 * <pre>{@code
 * try (Snapshot snapshot = database.snapshot()) {
 *   Result order = orders.get(new Get(id).setSnapshot(snapshot));
 *   byte[] cart = carts.at(snapshot).get(id); // Of the same moment.
 * }
 * }</pre>
 */
public interface Snapshot extends Closeable {
  /** Returns the sequence number of the last write that the snapshot sees. */
  long sequenceNumber();

  /** Ends the snapshot; reads as of it then throw {@link ClosedException}. Idempotent. */
  @Override
  void close();
}
