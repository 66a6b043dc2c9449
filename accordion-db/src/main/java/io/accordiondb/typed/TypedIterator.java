// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.io.Closeable;
import java.util.Iterator;
import java.util.Map;

/**
 * Iterates over keys and values in order, as of the moment at which it was made; in a transaction,
 * without the writes that were rolled back since ({@link io.accordiondb.Transaction#rollbackTo}).
 * Not thread-safe. The caller must close it: it holds memory and files, as {@link
 * io.accordiondb.ResultScanner} describes. Closing is idempotent.
 *
 * <p>{@link #hasNext} and {@link #next} wrap an {@link java.io.IOException} in {@link
 * java.io.UncheckedIOException}, and throw {@link io.accordiondb.ClosedException} after the
 * iterator or the database has been closed. {@link #next} throws {@link CodecException} for an
 * entry that cannot be decoded, and continues after it when it is called again. Entries are
 * immutable.
 */
public interface TypedIterator<K, V> extends Iterator<Map.Entry<K, V>>, Closeable {
  @Override
  void close();
}
