// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.Delete;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.TableDescriptor;
import io.accordiondb.TableExistsException;
import io.accordiondb.WriteBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * YCSB on the embedded database: a YCSB table is a table of one family, a field a column. Updates
 * are blind, as HBase's are. One instance for each thread.
 *
 * <p>Properties: {@code accordion.dir} (the folder, required), {@code accordion.policy}, {@code
 * accordion.memorybytes}, {@code accordion.durability}, and {@code accordion.batchbytes}: bytes of
 * values that a thread gathers before it writes them as one batch, 0 for none. What is gathered is
 * written when the thread ends; until then the thread does not read it.
 */
public final class AccordionClient extends DB {
  private static final String FAMILY = "f";
  private static final byte[] FAMILY_BYTES = FAMILY.getBytes(StandardCharsets.US_ASCII);

  private @Nullable SharedDatabase shared;
  private final WriteBatch batch = new WriteBatch();
  private long batchBytesMax;
  private long batchBytes;

  @Override
  public void init() throws DBException {
    try {
      shared = SharedDatabase.enter(getProperties());
      batchBytesMax = Long.parseLong(getProperties().getProperty("accordion.batchbytes", "0"));
    } catch (IOException e) {
      throw new DBException(e);
    }
  }

  @Override
  public void cleanup() throws DBException {
    SharedDatabase leaving = shared;
    if (leaving == null) {
      return;
    }
    shared = null;
    try {
      try {
        writeBatch(leaving.database());
      } finally {
        leaving.leave();
      }
    } catch (IOException e) {
      throw new DBException(e);
    }
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return perform(
        table,
        database -> {
          Get get = new Get(bytes(key));
          if (fields != null) {
            fields.forEach(field -> get.addColumn(FAMILY_BYTES, bytes(field)));
          }
          Result row = database.table(table).get(get);
          copy(row, result);
          return row.isEmpty() ? Status.NOT_FOUND : Status.OK;
        });
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int count,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return perform(
        table,
        database -> {
          Scan scan = new Scan().withStartRow(bytes(startKey)).setLimit(count);
          if (fields != null) {
            fields.forEach(field -> scan.addColumn(FAMILY_BYTES, bytes(field)));
          }
          try (ResultScanner scanner = database.table(table).scan(scan)) {
            for (Result row = scanner.next(); row != null; row = scanner.next()) {
              HashMap<String, ByteIterator> values = new HashMap<>();
              copy(row, values);
              result.add(values);
            }
          }
          return Status.OK;
        });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return insert(table, key, values);
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return perform(
        table,
        database -> {
          Put put = new Put(bytes(key));
          for (Map.Entry<String, ByteIterator> value : values.entrySet()) {
            byte[] bytes = value.getValue().toArray();
            put.addColumn(FAMILY_BYTES, bytes(value.getKey()), bytes);
            batchBytes += bytes.length;
          }
          batch.put(table, put);
          return written(database);
        });
  }

  @Override
  public Status delete(String table, String key) {
    return perform(
        table,
        database -> {
          batch.delete(table, new Delete(bytes(key)));
          return written(database);
        });
  }

  /** What is done with the database. */
  private interface Operation {
    Status run(Database database) throws IOException;
  }

  private Status perform(String table, Operation operation) {
    SharedDatabase open = shared;
    if (open == null) {
      throw new IllegalStateException("init() has not been called");
    }
    try {
      Database database = open.database();
      if (!database.exists(table)) {
        create(database, table);
      }
      return operation.run(database);
    } catch (IOException e) {
      return new Status("ERROR", String.valueOf(e.getMessage()));
    }
  }

  private static void create(Database database, String table) throws IOException {
    try {
      database.createTable(TableDescriptor.of(table, FAMILY));
    } catch (TableExistsException e) {
      if (!database.exists(table)) {
        throw e;
      }
    }
  }

  private Status written(Database database) throws IOException {
    if (batchBytes < batchBytesMax) {
      return Status.BATCHED_OK;
    }
    writeBatch(database);
    return Status.OK;
  }

  private void writeBatch(Database database) throws IOException {
    database.write(batch);
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
