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
import io.accordiondb.Table;
import io.accordiondb.TableExistsException;
import io.accordiondb.WriteBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * YCSB on the embedded database: a YCSB table is a table of one family, a field a column. One
 * instance for each thread.
 *
 * <p>Properties: {@code accordion.dir}, the folder, is required. Every option of {@link
 * io.accordiondb.DatabaseOptions} can be set by its name in lower case, as {@code
 * accordion.memorybytes}; policy and segments as {@code accordion.policy}, {@code activefraction},
 * {@code pipelinesegments}, {@code threshold}, {@code cells}, {@code index} and {@code filtered};
 * an attribute of the family after {@code accordion.family.}.
 *
 * <p>{@code accordion.batchbytes}: bytes of keys and values that a thread gathers before it writes
 * them as one batch, 0 (the default) for none. What is gathered is written when the thread ends;
 * until then no thread reads it. {@code accordion.readmodifywrite}: whether an update reads the row
 * and writes it whole; by default updates are blind, as HBase's are. It cannot be had with batches.
 */
public final class AccordionClient extends DB {
  private static final String FAMILY = "f";
  private static final byte[] FAMILY_BYTES = FAMILY.getBytes(StandardCharsets.US_ASCII);

  private final Map<String, Table> tables = new HashMap<>();
  private final WriteBatch batch = new WriteBatch();
  private StoreProperties properties = new StoreProperties(new Properties());
  private @Nullable SharedDatabase shared;
  private boolean readsBeforeUpdates;
  private long batchBytesMax;
  private long batchBytes;

  /** Creates a client; to be found by name. */
  public AccordionClient() {}

  @Override
  public void init() throws DBException {
    try {
      properties = new StoreProperties(getProperties());
      batchBytesMax = properties.number(StoreProperties.BATCH_BYTES, 0);
      readsBeforeUpdates = properties.isTrue(StoreProperties.READ_MODIFY_WRITE);
      if (readsBeforeUpdates && batchBytesMax > 0) {
        throw new IllegalArgumentException(
            StoreProperties.READ_MODIFY_WRITE
                + " cannot be had with "
                + StoreProperties.BATCH_BYTES
                + ": what is gathered is not read");
      }
      shared = SharedDatabase.enter(properties);
    } catch (IOException | IllegalArgumentException e) {
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
    tables.clear();
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
        database -> {
          Get get = new Get(bytes(key));
          if (fields != null) {
            fields.forEach(field -> get.addColumn(FAMILY_BYTES, bytes(field)));
          }
          Result row = table(database, table).get(get);
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
        database -> {
          Scan scan = new Scan().withStartRow(bytes(startKey)).setLimit(count);
          if (fields != null) {
            fields.forEach(field -> scan.addColumn(FAMILY_BYTES, bytes(field)));
          }
          try (ResultScanner scanner = table(database, table).scan(scan)) {
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
    if (!readsBeforeUpdates) {
      return insert(table, key, values);
    }
    return perform(
        database -> {
          Result before = table(database, table).get(new Get(bytes(key)));
          if (before.isEmpty()) {
            return Status.NOT_FOUND;
          }
          Map<String, ByteIterator> whole = new HashMap<>();
          copy(before, whole);
          whole.putAll(values);
          return put(database, table, key, whole);
        });
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return perform(database -> put(database, table, key, values));
  }

  private Status put(Database database, String table, String key, Map<String, ByteIterator> values)
      throws IOException {
    Put put = new Put(bytes(key));
    for (Map.Entry<String, ByteIterator> value : values.entrySet()) {
      byte[] bytes = value.getValue().toArray();
      put.addColumn(FAMILY_BYTES, bytes(value.getKey()), bytes);
      batchBytes += bytes.length;
    }
    if (batchBytesMax == 0) {
      table(database, table).put(put);
      return Status.OK;
    }
    Table unused = table(database, table);
    batch.put(table, put);
    return gathered(database, key);
  }

  @Override
  public Status delete(String table, String key) {
    return perform(
        database -> {
          Table target = table(database, table);
          if (batchBytesMax == 0) {
            target.delete(new Delete(bytes(key)));
            return Status.OK;
          }
          batch.delete(table, new Delete(bytes(key)));
          return gathered(database, key);
        });
  }

  /** What is done with the database. */
  private interface Operation {
    Status run(Database database) throws IOException;
  }

  private Status perform(Operation operation) {
    SharedDatabase open = shared;
    if (open == null) {
      throw new IllegalStateException("init() has not been called");
    }
    try {
      return operation.run(open.database());
    } catch (IOException e) {
      return new Status("ERROR", String.valueOf(e.getMessage()));
    }
  }

  /** Returns a table, which is created if it is missing. */
  private Table table(Database database, String name) throws IOException {
    Table known = tables.get(name);
    if (known != null) {
      return known;
    }
    if (!database.exists(name)) {
      try {
        database.createTable(properties.table(name, FAMILY));
      } catch (TableExistsException e) {
        if (!database.exists(name)) {
          throw e;
        }
      }
    }
    Table table = database.table(name);
    tables.put(name, table);
    return table;
  }

  private Status gathered(Database database, String key) throws IOException {
    batchBytes += key.length();
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
