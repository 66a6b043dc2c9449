// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import io.accordiondb.Cell;
import io.accordiondb.Delete;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Table;
import io.accordiondb.WriteBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * Stores the fields of a record as columns of a row. An update writes without reading, unless the
 * properties say otherwise.
 */
final class ColumnOperations implements RecordOperations {
  private static final String FAMILY = "f";
  private static final byte[] FAMILY_BYTES = FAMILY.getBytes(StandardCharsets.US_ASCII);

  private final Tables creation;
  private final SharedByFolder<WatchedDatabase>.Lease lease;
  private final boolean readsBeforeUpdates;
  private final long batchBytesMax;
  private final Map<String, Table> tables = new HashMap<>();
  private final WriteBatch batch = new WriteBatch();
  private long batchBytes;

  /** Creates operations, which end the lease when they are closed. */
  ColumnOperations(StoreProperties properties, SharedByFolder<WatchedDatabase>.Lease lease) {
    this.creation = new Tables(properties, lease.value().database(), FAMILY);
    this.lease = lease;
    this.readsBeforeUpdates = properties.isTrue(StoreProperties.READ_MODIFY_WRITE);
    this.batchBytesMax = properties.number(StoreProperties.BATCH_BYTES, 0);
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result)
      throws IOException {
    Get get = new Get(bytes(key));
    if (fields != null) {
      fields.forEach(field -> get.addColumn(FAMILY_BYTES, bytes(field)));
    }
    Result row = table(table).get(get);
    copy(row, result);
    return row.isEmpty() ? Status.NOT_FOUND : Status.OK;
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int count,
      @Nullable Set<String> fields,
      List<HashMap<String, ByteIterator>> result)
      throws IOException {
    Scan scan = new Scan().setStartRow(bytes(startKey)).setLimit(count);
    if (fields != null) {
      fields.forEach(field -> scan.addColumn(FAMILY_BYTES, bytes(field)));
    }
    try (ResultScanner scanner = table(table).scan(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        HashMap<String, ByteIterator> values = new HashMap<>();
        copy(row, values);
        result.add(values);
      }
    }
    return Status.OK;
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values)
      throws IOException {
    if (!readsBeforeUpdates) {
      return insert(table, key, values);
    }
    Result before = table(table).get(new Get(bytes(key)));
    if (before.isEmpty()) {
      return Status.NOT_FOUND;
    }
    Map<String, ByteIterator> whole = new HashMap<>();
    copy(before, whole);
    whole.putAll(values);
    return insert(table, key, whole);
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values)
      throws IOException {
    Put put = new Put(bytes(key));
    for (Map.Entry<String, ByteIterator> value : values.entrySet()) {
      byte[] bytes = value.getValue().toArray();
      put.addColumn(FAMILY_BYTES, bytes(value.getKey()), bytes);
      batchBytes += bytes.length;
    }
    Table target = table(table);
    if (batchBytesMax == 0) {
      target.put(put);
      return Status.OK;
    }
    batch.put(table, put);
    return gathered(key);
  }

  @Override
  public Status delete(String table, String key) throws IOException {
    Table target = table(table);
    if (batchBytesMax == 0) {
      target.delete(new Delete(bytes(key)));
      return Status.OK;
    }
    batch.delete(table, new Delete(bytes(key)));
    return gathered(key);
  }

  @Override
  public void close() throws IOException {
    try (lease) {
      writeBatch();
    }
  }

  /** Returns a table, which is created if it is missing. */
  private Table table(String name) throws IOException {
    Table table = tables.get(name);
    if (table == null) {
      creation.createIfMissing(name);
      table = lease.value().database().table(name);
      tables.put(name, table);
    }
    return table;
  }

  private Status gathered(String key) throws IOException {
    batchBytes += key.length();
    if (batchBytes < batchBytesMax) {
      return Status.BATCHED_OK;
    }
    writeBatch();
    return Status.OK;
  }

  private void writeBatch() throws IOException {
    lease.value().database().write(batch);
    batch.clear();
    batchBytes = 0;
  }

  private static void copy(Result row, Map<String, ByteIterator> values) {
    for (Cell cell : row.cells()) {
      values.put(
          new String(cell.qualifier(), StandardCharsets.UTF_8),
          new ByteArrayByteIterator(cell.value()));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
