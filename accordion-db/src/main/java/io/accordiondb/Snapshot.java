// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;

/**
 * The state of the whole database at one moment. Reads as of a snapshot see what was visible then
 * and nothing later. A snapshot keeps the versions that it shows from being dropped until it is
 * closed. It does not stop the time: what has expired since is not seen any more. It does not keep
 * tables and families from being dropped or truncated: reading these as of an earlier moment throws
 * {@link HistoryLostException}, even after they have been created again, or, while they do not
 * exist, {@link TableNotFoundException}, or {@link FamilyNotFoundException} if the read names the
 * family. Thread-safe.
 *
 * <pre>{@code
 * try (Snapshot snapshot = database.snapshot()) {
 *   Result order = orders.get(new Get(id).setSnapshot(snapshot));
 *   byte[] cart = carts.at(snapshot).get(id); // Of the same moment.
 * }
 * }</pre>
 */
public interface Snapshot extends Closeable {
  /** {@return the sequence number of the last write that the snapshot sees} */
  long sequenceNumber();

  /** Closes the snapshot. Later reads as of it throw {@link ClosedException}. Idempotent. */
  @Override
  void close();
}
