// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One thread's access to an ordered key-value store. Not thread-safe. */
interface EntryStore extends Closeable {
  /** A key and its value. */
  record Entry(byte[] key, byte[] value) {}

  /** Puts entries, all or none. */
  void put(List<Entry> entries) throws IOException;

  /** Adds 1 to the counters of keys, all or none. */
  default void count(byte[][] keys, int count) throws IOException {
    throw new EngineUnavailableException("the engine has no merge operator for counters");
  }

  /** Returns the counter of a value as {@link #count} stores it. */
  default long counterOf(byte[] value) throws IOException {
    throw new EngineUnavailableException("the engine has no merge operator for counters");
  }

  /** Deletes the entries of keys, all or none; a key may be missing. */
  void delete(List<byte[]> keys) throws IOException;

  /** Returns the value of a key, null if there is none. */
  byte @Nullable [] get(byte[] key) throws IOException;

  /** Returns the entries that a scan looks for. */
  List<Entry> scan(ScanRequest scan) throws IOException;

  /** Reads the entries of a scan from an iterator that is at its beginning. */
  static List<Entry> take(ScanRequest scan, Iterator<Map.Entry<byte[], byte[]>> iterator) {
    List<Entry> found = new ArrayList<>(scan.count());
    while (found.size() < scan.count() && iterator.hasNext()) {
      Map.Entry<byte[], byte[]> entry = iterator.next();
      if (!scan.reaches(entry.getKey())) {
        break;
      }
      found.add(new Entry(entry.getKey(), entry.getValue()));
    }
    return found;
  }

  @Override
  default void close() throws IOException {}
}
