// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;
import java.util.Iterator;

/**
 * Walks over keys in order, as of the moment at which it was made. Not thread-safe; to be closed,
 * because it keeps memory and files as {@link ResultScanner} says. {@link #hasNext} and {@link
 * #next} wrap what the storage throws in {@link java.io.UncheckedIOException}, and throw {@link
 * ClosedException} once iterator or database have been closed. Closing is idempotent.
 */
public interface KeyValueIterator extends Iterator<KeyValue>, Closeable {
  @Override
  void close();
}
