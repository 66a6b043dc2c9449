// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import io.accordiondb.bench.engine.Engine.Row;
import io.accordiondb.bench.engine.Engine.Session;
import io.accordiondb.bench.engine.ScanRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/** The operations of one thread through HBase's client. Not thread-safe. */
final class ClientSession implements Session {
  private final Table table;
  private final TableCreator creator;
  private boolean created;

  /** Creates the table before the first write, unless it is there. */
  @FunctionalInterface
  interface TableCreator {
    /**
     * Creates it.
     *
     * @param key one of the keys, by which regions are split
     */
    void create(byte[] key) throws IOException;
  }

  ClientSession(Table table, TableCreator creator) {
    this.table = table;
    this.creator = creator;
  }

  @Override
  public void write(byte[][] keys, byte[][][] values, int count) throws IOException {
    if (!created) {
      creator.create(keys[0]);
      created = true;
    }
    List<Put> puts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Put put = new Put(keys[i]);
      for (int field = 0; field < values[i].length; field++) {
        put.addColumn(EngineName.FAMILY, EngineName.qualifier(field), values[i][field]);
      }
      puts.add(put);
    }
    table.put(puts);
  }

  @Override
  public byte @Nullable [] read(byte[] key, int field) throws IOException {
    Get get = new Get(key).addColumn(EngineName.FAMILY, EngineName.qualifier(field));
    return table.get(get).value();
  }

  @Override
  public List<Row> scan(ScanRequest scan) throws IOException {
    List<Row> found = new ArrayList<>(scan.count());
    try (ResultScanner scanner = table.getScanner(EngineName.scan(scan).setCaching(scan.count()))) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        found.add(EngineName.row(row.listCells()));
      }
    }
    return found;
  }

  @Override
  public void delete(byte[] key) throws IOException {
    table.delete(new Delete(key));
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
