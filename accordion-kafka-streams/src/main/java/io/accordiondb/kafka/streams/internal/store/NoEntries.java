// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import java.util.NoSuchElementException;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/** An iterator over nothing. */
final class NoEntries<K, V> implements KeyValueIterator<K, V> {
  @Override
  public boolean hasNext() {
    return false;
  }

  @Override
  public K peekNextKey() {
    throw new NoSuchElementException();
  }

  @Override
  public KeyValue<K, V> next() {
    throw new NoSuchElementException();
  }

  @Override
  public void close() {}
}
