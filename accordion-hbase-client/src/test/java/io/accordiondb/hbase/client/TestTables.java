// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import io.accordiondb.Database;
import io.accordiondb.hbase.client.catalog.Catalog;
import io.accordiondb.hbase.client.data.EmbeddedTableBuilder;
import io.accordiondb.hbase.client.data.RowLocks;
import io.accordiondb.hbase.client.data.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Tables, rows and cells as the tests write and print them. */
final class TestTables {
  static final TableName TABLE = TableName.valueOf("t");
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] G = Bytes.toBytes("g");
  static final byte[] Q = Bytes.toBytes("q");
  static final byte[] ROW = Bytes.toBytes("row");

  private TestTables() {}

  static byte[] b(String text) {
    return Bytes.toBytes(text);
  }

  /** Returns a configuration without the files of HBase, with a small database. */
  static Configuration configuration() {
    Configuration conf = new Configuration(false);
    conf.set("accordion.client.memoryBytes", "16 MiB");
    conf.set("accordion.client.blockCacheBytes", "4 MiB");
    conf.set("accordion.client.batchBytesMax", "8 MiB");
    return conf;
  }

  static EmbeddedConnection memory() throws IOException {
    return EmbeddedConnection.inMemory(configuration());
  }

  /** Creates a table that keeps the given number of versions. */
  static Table create(Connection connection, TableName name, int versions, String... families)
      throws IOException {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(name);
    for (String family : families) {
      builder.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(b(family)).setMaxVersions(versions).build());
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(builder.build());
    }
    return connection.getTable(name);
  }

  /** Creates the table of a database that is no connection's, with one family. */
  static Table embedded(Database database, ExecutorService pool) throws IOException {
    return new EmbeddedTableBuilder(
            session(database, pool),
            TABLE,
            name -> {
              throw new UnsupportedOperationException("nobody asks for regions");
            })
        .build();
  }

  /** Creates the session of a database that is no connection's, and its table with one family. */
  static Session session(Database database, ExecutorService pool) throws IOException {
    Catalog catalog = Catalog.open(database);
    catalog
        .changes()
        .create(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build());
    return new Session(database, catalog, new RowLocks(), configuration(), pool);
  }

  static Put put(String row, String family, String qualifier, long timestamp, String value) {
    return new Put(b(row)).addColumn(b(family), b(qualifier), timestamp, b(value));
  }

  /** Returns the cells of a result as text. */
  static List<String> cells(Result result) {
    List<String> cells = new ArrayList<>();
    for (Cell cell : result.rawCells()) {
      cells.add(text(cell));
    }
    return cells;
  }

  static String text(Cell cell) {
    return Bytes.toString(CellUtil.cloneRow(cell))
        + "/"
        + Bytes.toString(CellUtil.cloneFamily(cell))
        + ":"
        + Bytes.toString(CellUtil.cloneQualifier(cell))
        + "/"
        + cell.getTimestamp()
        + "/"
        + (cell.getType() == Cell.Type.Put ? "" : cell.getType())
        + Bytes.toString(CellUtil.cloneValue(cell));
  }

  /** Returns the results of a scan, each as the text of its cells. */
  static List<List<String>> scan(Table table, Scan scan) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        rows.add(cells(result));
      }
    }
    return rows;
  }

  /**
   * Returns the class of what was thrown. A filter that fails throws to the caller of a region, but
   * comes from a server as an {@link IOException}.
   */
  static String failure(Throwable e) {
    boolean wraps =
        e instanceof UncheckedIOException
            || (e instanceof DoNotRetryIOException
                && e.getMessage().startsWith("the filter has failed"));
    return wraps ? failure(e.getCause()) : e.getClass().toString();
  }

  /** Returns what is read, or the {@linkplain #failure class} of what was thrown. */
  static Object outcome(Callable<?> read) {
    try {
      return read.call();
    } catch (Exception e) {
      return "threw " + failure(e);
    }
  }

  /** Returns the rows of a scan. */
  static List<String> rows(Table table, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        rows.add(Bytes.toString(result.getRow()));
      }
    }
    return rows;
  }
}
