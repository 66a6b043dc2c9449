// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.WindowStoreIterator;

/** Entries of a segmented store, with keys as its readers know them. */
class WindowedEntries<K> implements KeyValueIterator<K, byte[]> {
  private final KeyValueIterator<Bytes, byte[]> entries;
  private final Function<Bytes, K> decode;

  WindowedEntries(KeyValueIterator<Bytes, byte[]> entries, Function<Bytes, K> decode) {
    this.entries = entries;
    this.decode = decode;
  }

  @Override
  public boolean hasNext() {
    try {
      return entries.hasNext();
    } catch (InvalidStateStoreException e) {
      return false; // Closed, by the store perhaps: Kafka's own windows end here, too.
    }
  }

  @Override
  public K peekNextKey() {
    return decode.apply(entries.peekNextKey());
  }

  @Override
  public KeyValue<K, byte[]> next() {
    KeyValue<Bytes, byte[]> next = entries.next();
    return KeyValue.pair(decode.apply(next.key), next.value);
  }

  @Override
  public void close() {
    entries.close();
  }

  /** The windows of one key, by their starts. */
  static final class OfKey extends WindowedEntries<Long> implements WindowStoreIterator<byte[]> {
    OfKey(KeyValueIterator<Bytes, byte[]> entries) {
      super(entries, key -> WindowLayout.startOf(key.get()));
    }
  }
}
