// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;
import java.util.Iterator;

/**
 * Iterates over keys in order, as of the moment at which it was made; in a transaction, without the
 * writes that were rolled back since ({@link Transaction#rollbackTo}). Not thread-safe. Close it
 * after use: it holds memory and files, as {@link ResultScanner} describes. {@link #hasNext} and
 * {@link #next} wrap an {@link java.io.IOException} in {@link java.io.UncheckedIOException}, and
 * throw {@link ClosedException} after the iterator or the database has been closed. Closing is
 * idempotent.
 */
public interface KeyValueIterator extends Iterator<KeyValue>, Closeable {
  @Override
  void close();
}
