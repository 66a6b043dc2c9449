// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.io.Closeable;
import java.util.Iterator;
import java.util.Map;

/**
 * Walks over keys and values in order, as of the moment at which it was made. Not thread-safe. The
 * caller must close it, because it keeps memory and files, as {@link io.accordiondb.ResultScanner}
 * says. Closing is idempotent.
 *
 * <p>{@link #hasNext} and {@link #next} wrap what the storage throws in {@link
 * java.io.UncheckedIOException}, and throw {@link io.accordiondb.ClosedException} once iterator or
 * database have been closed. {@link #next} throws {@link CodecException} for an entry that cannot
 * be decoded, and goes on behind it when it is called again. Entries cannot be set.
 */
public interface TypedIterator<K, V> extends Iterator<Map.Entry<K, V>>, Closeable {
  @Override
  void close();
}
