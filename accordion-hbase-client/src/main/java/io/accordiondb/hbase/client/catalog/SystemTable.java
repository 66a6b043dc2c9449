// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import io.accordiondb.Database;
import io.accordiondb.Durability;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The key-value store of the catalog's records. The first record creates it, so that opening a
 * folder changes nothing. A record is on the device when the call that writes it returns, like a
 * change of the database's tables. Thread-safe.
 */
final class SystemTable {
  private final Database database;

  SystemTable(Database database) {
    this.database = database;
  }

  /** Returns the records whose keys begin with a prefix, by what follows the prefix. */
  Map<String, byte[]> load(String prefix) throws IOException {
    Map<String, byte[]> records = new TreeMap<>();
    if (!database.exists(TableNames.SYSTEM)) {
      return records;
    }
    try (KeyValueIterator all = database.keyValueStore(TableNames.SYSTEM).prefix(bytes(prefix))) {
      while (all.hasNext()) {
        KeyValue entry = all.next();
        String key = new String(entry.key(), StandardCharsets.UTF_8);
        records.put(key.substring(prefix.length()), entry.value());
      }
    } catch (UncheckedIOException e) {
      throw new IOException("could not read table " + TableNames.SYSTEM, e.getCause());
    }
    return records;
  }

  void put(String key, byte[] value) throws IOException {
    database.keyValueStore(TableNames.SYSTEM).put(bytes(key), value, Durability.FSYNC);
  }

  void delete(String key) throws IOException {
    if (database.exists(TableNames.SYSTEM)) {
      database.keyValueStore(TableNames.SYSTEM).delete(bytes(key), Durability.FSYNC);
    }
  }

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }
}
