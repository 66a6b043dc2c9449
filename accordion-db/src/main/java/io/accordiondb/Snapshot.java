// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;

/**
 * A moment of the whole database, over all tables and regions. Reads as of it see what was visible
 * then and nothing later, but for tables and families that are dropped and tables that are
 * truncated: their cells are gone. Thread-safe. It keeps old versions from being dropped until it
 * is closed.
 */
public interface Snapshot extends Closeable {
  /** Returns the sequence number of the last write that the snapshot sees. */
  long sequenceNumber();

  /** Ends the snapshot; reads as of it then throw {@link IllegalStateException}. Idempotent. */
  @Override
  void close();
}
