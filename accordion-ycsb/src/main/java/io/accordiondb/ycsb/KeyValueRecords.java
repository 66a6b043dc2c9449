// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stores records as values of key-value stores of the database. */
final class KeyValueRecords implements ValueOperations.Values {
  private final Tables tables;
  private final SharedByFolder<WatchedDatabase>.Lease lease;
  private final Map<String, KeyValueStore> stores = new HashMap<>();

  /** Creates records, which end the lease when they are closed. */
  KeyValueRecords(StoreProperties properties, SharedByFolder<WatchedDatabase>.Lease lease) {
    this.tables = new Tables(properties, lease.value().database(), KeyValueStore.FAMILY);
    this.lease = lease;
  }

  private KeyValueStore store(String name) throws IOException {
    KeyValueStore store = stores.get(name);
    if (store == null) {
      tables.createIfMissing(name);
      store = lease.value().database().keyValueStore(name);
      stores.put(name, store);
    }
    return store;
  }

  @Override
  public byte @Nullable [] get(String table, byte[] key) throws IOException {
    return store(table).get(key);
  }

  @Override
  public List<byte[]> scan(String table, byte[] fromKey, int count) throws IOException {
    List<byte[]> values = new ArrayList<>(count);
    try (KeyValueIterator iterator = store(table).range(fromKey, null)) {
      while (values.size() < count && iterator.hasNext()) {
        values.add(iterator.next().value());
      }
    }
    return values;
  }

  @Override
  public void put(String table, byte[] key, byte[] value) throws IOException {
    store(table).put(key, value);
  }

  @Override
  public void delete(String table, byte[] key) throws IOException {
    store(table).delete(key);
  }

  @Override
  public void close() throws IOException {
    lease.close();
  }
}
