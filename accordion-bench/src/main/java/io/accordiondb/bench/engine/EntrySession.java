// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import io.accordiondb.bench.engine.Engine.Row;
import io.accordiondb.bench.engine.Engine.Session;
import io.accordiondb.bench.engine.EntryStore.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows in a store of keys and values. A row of one field is one entry; of several, one entry a
 * field, under the row's key, a zero byte and the field's name, so that a field can be written
 * without being read. Not thread-safe.
 */
final class EntrySession implements Session {
  private final EntryStore store;
  private final byte[][] names;

  EntrySession(EntryStore store, int fields) {
    this.store = store;
    this.names = fields == 1 ? new byte[1][0] : FieldNames.of(fields);
  }

  @Override
  public void write(byte[][] keys, byte[][][] values, int count) throws IOException {
    List<Entry> entries = new ArrayList<>(count * names.length);
    for (int i = 0; i < count; i++) {
      for (int field = 0; field < names.length; field++) {
        entries.add(new Entry(keyOf(keys[i], field), values[i][field]));
      }
    }
    store.put(entries);
  }

  @Override
  public void count(byte[][] keys, int count) throws IOException {
    store.count(keys, count);
  }

  @Override
  public long counter(byte[] key) throws IOException {
    byte[] value = store.get(key);
    return value == null ? 0 : store.counterOf(value);
  }

  @Override
  public byte @Nullable [] read(byte[] key, int field) throws IOException {
    return store.get(keyOf(key, field));
  }

  @Override
  public List<Row> scan(ScanRequest scan) throws IOException {
    List<Entry> entries = store.scan(entriesOf(scan));
    List<Row> found = new ArrayList<>(scan.count());
    for (int first = 0; first < entries.size(); first += names.length) {
      byte[][] values = new byte[names.length][];
      for (int field = 0; field < names.length; field++) {
        int entry = scan.reversed() ? names.length - 1 - field : field;
        values[field] = entries.get(first + entry).value();
      }
      found.add(new Row(rowOf(entries.get(first).key()), values));
    }
    return found;
  }

  /** Returns the scan of the rows' entries; downwards, a row begins with its last field. */
  private ScanRequest entriesOf(ScanRequest rows) {
    byte[] key = rows.reversed() ? keyOf(rows.key(), names.length - 1) : rows.key();
    return new ScanRequest(rows.kind(), key, rows.count() * names.length);
  }

  @Override
  public void delete(byte[] key) throws IOException {
    List<byte[]> keys = new ArrayList<>(names.length);
    for (int field = 0; field < names.length; field++) {
      keys.add(keyOf(key, field));
    }
    store.delete(keys);
  }

  private byte[] keyOf(byte[] row, int field) {
    if (names.length == 1) {
      return row;
    }
    byte[] key = Arrays.copyOf(row, row.length + 1 + names[field].length);
    System.arraycopy(names[field], 0, key, row.length + 1, names[field].length);
    return key;
  }

  private byte[] rowOf(byte[] key) {
    return names.length == 1 ? key : Arrays.copyOf(key, key.length - 1 - names[0].length);
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
