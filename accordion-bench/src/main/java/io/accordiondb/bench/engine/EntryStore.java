// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one thread does with an ordered store of keys and values. Not thread-safe. */
interface EntryStore extends Closeable {
  /** A key and its value. */
  record Entry(byte[] key, byte[] value) {}

  /** Puts entries, all or none. */
  void put(List<Entry> entries) throws IOException;

  /** Deletes the entries of keys, all or none; a key may be missing. */
  void delete(List<byte[]> keys) throws IOException;

  /** Returns the value of a key, null if there is none. */
  byte @Nullable [] get(byte[] key) throws IOException;

  /** Returns up to so many entries from a key on, in the order of unsigned bytes. */
  List<Entry> scan(byte[] fromKey, int count) throws IOException;

  @Override
  default void close() throws IOException {}
}
