// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package org.apache.hadoop.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Creates, fills, counts and deletes tables for the tests, through the interfaces of the client.
 */
abstract class TableTestingUtility extends EmbeddedTestingUtility {
  /** All rows of three letters, in order. */
  public static final byte[][] ROWS = threeLetters();

  /** The same letter three times, from b to y. */
  private static final List<byte[]> TRIPLES = triples();

  public static final byte[][] KEYS = triplesWith(HConstants.EMPTY_BYTE_ARRAY, null);
  public static final byte[][] KEYS_FOR_HBA_CREATE_TABLE = triplesWith(null, Bytes.toBytes("zzz"));

  TableTestingUtility(Configuration configuration) {
    super(configuration);
  }

  private static byte[][] threeLetters() {
    List<byte[]> rows = new ArrayList<>();
    for (char first = 'a'; first <= 'z'; first++) {
      for (char second = 'a'; second <= 'z'; second++) {
        for (char third = 'a'; third <= 'z'; third++) {
          rows.add(new byte[] {(byte) first, (byte) second, (byte) third});
        }
      }
    }
    return rows.toArray(new byte[0][]);
  }

  private static List<byte[]> triples() {
    List<byte[]> rows = new ArrayList<>();
    for (char letter = 'b'; letter <= 'y'; letter++) {
      rows.add(Bytes.toBytes(String.valueOf(letter).repeat(3)));
    }
    return rows;
  }

  private static byte[][] triplesWith(byte[] first, byte[] last) {
    List<byte[]> rows = new ArrayList<>(TRIPLES);
    if (first != null) {
      rows.add(0, first);
    }
    if (last != null) {
      rows.add(last);
    }
    return rows.toArray(new byte[0][]);
  }

  public Table createTable(TableName name, String family) throws IOException {
    return createTable(name, new String[] {family});
  }

  public Table createTable(TableName name, String[] families) throws IOException {
    return createTable(name, Arrays.stream(families).map(Bytes::toBytes).toArray(byte[][]::new));
  }

  public Table createTable(TableName name, byte[] family) throws IOException {
    return createTable(name, new byte[][] {family});
  }

  public Table createTable(TableName name, byte[][] families) throws IOException {
    return createTable(name, families, (byte[][]) null);
  }

  public Table createTable(TableName name, byte[][] families, byte[][] splits) throws IOException {
    return createTable(name, families, splits, 1);
  }

  public Table createTable(TableName name, byte[][] families, byte[][] splits, int replicas)
      throws IOException {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name).setRegionReplication(replicas).build();
    return createTable(table, families, splits, conf);
  }

  public Table createTable(TableName name, byte[] family, byte[][] splits) throws IOException {
    return create(name, new byte[][] {family}, each -> each, splits);
  }

  public Table createTable(TableName name, byte[] family, int versions) throws IOException {
    return createTable(name, new byte[][] {family}, versions);
  }

  public Table createTable(TableName name, byte[][] families, int versions) throws IOException {
    return create(name, families, each -> each.setMaxVersions(versions), null);
  }

  public Table createTable(TableName name, byte[][] families, int versions, int blockSize)
      throws IOException {
    return createTable(name, families, versions, blockSize, null);
  }

  public Table createTable(
      TableName name, byte[][] families, int versions, int blockSize, String coprocessor)
      throws IOException {
    TableDescriptorBuilder table =
        builder(name, families, each -> each.setMaxVersions(versions).setBlocksize(blockSize));
    if (coprocessor != null) {
      table.setCoprocessor(coprocessor);
    }
    return create(table.build(), null);
  }

  public Table createTable(TableName name, byte[][] families, int[] versions) throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    for (int i = 0; i < families.length; i++) {
      table.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(families[i])
              .setMaxVersions(versions[i])
              .build());
    }
    return create(table.build(), null);
  }

  public Table createTable(
      TableName name, byte[][] families, int versions, byte[] start, byte[] end, int regions)
      throws IOException {
    TableDescriptor table = builder(name, families, each -> each.setMaxVersions(versions)).build();
    getAdmin().createTable(table, start, end, regions);
    return getConnection().getTable(name);
  }

  public Table createTable(TableDescriptor table, byte[][] families, Configuration ignored)
      throws IOException {
    return createTable(table, families, null, ignored);
  }

  public Table createTable(
      TableDescriptor table, byte[][] families, byte[][] splits, Configuration ignored)
      throws IOException {
    return createTable(
        table, families, splits, BloomType.NONE, HConstants.DEFAULT_BLOCKSIZE, ignored);
  }

  public Table createTable(
      TableDescriptor table,
      byte[][] families,
      byte[][] splits,
      BloomType bloom,
      int blockSize,
      Configuration ignored)
      throws IOException {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table);
    for (byte[] family : families) {
      builder.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(family)
              .setBloomFilterType(bloom)
              .setBlocksize(blockSize)
              .build());
    }
    return create(builder.build(), splits);
  }

  public Table createTable(TableDescriptor table, byte[][] splits) throws IOException {
    return create(table, splits);
  }

  public Table createMultiRegionTable(TableName name, byte[] family) throws IOException {
    return createTable(name, family, KEYS_FOR_HBA_CREATE_TABLE);
  }

  public Table createMultiRegionTable(TableName name, byte[][] families, int versions)
      throws IOException {
    return create(name, families, each -> each.setMaxVersions(versions), KEYS_FOR_HBA_CREATE_TABLE);
  }

  public Table createMultiRegionTable(TableName name, int replicas, byte[][] families)
      throws IOException {
    return createTable(name, families, KEYS_FOR_HBA_CREATE_TABLE, replicas);
  }

  public Table createMultiRegionTable(TableName name, byte[] family, int regions)
      throws IOException {
    byte[][] splits = Bytes.split(Bytes.toBytes("aaaaa"), Bytes.toBytes("zzzzz"), regions - 3);
    return createTable(name, new byte[][] {family}, splits);
  }

  private Table create(
      TableName name,
      byte[][] families,
      UnaryOperator<ColumnFamilyDescriptorBuilder> change,
      byte[][] splits)
      throws IOException {
    return create(builder(name, families, change).build(), splits);
  }

  private static TableDescriptorBuilder builder(
      TableName name, byte[][] families, UnaryOperator<ColumnFamilyDescriptorBuilder> change) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    for (byte[] family : families) {
      table.setColumnFamily(change.apply(ColumnFamilyDescriptorBuilder.newBuilder(family)).build());
    }
    return table;
  }

  private Table create(TableDescriptor table, byte[][] splits) throws IOException {
    getAdmin().createTable(table, splits);
    return getConnection().getTable(table.getTableName());
  }

  public void deleteTable(TableName name) throws IOException {
    try {
      getAdmin().disableTable(name);
    } catch (TableNotEnabledException e) {
      // It may be disabled.
    }
    getAdmin().deleteTable(name);
  }

  public void deleteTableIfAny(TableName name) throws IOException {
    if (getAdmin().tableExists(name)) {
      deleteTable(name);
    }
  }

  public Table truncateTable(TableName name) throws IOException {
    return truncateTable(name, false);
  }

  public Table truncateTable(TableName name, boolean preserveRegions) throws IOException {
    if (!getAdmin().isTableDisabled(name)) {
      getAdmin().disableTable(name);
    }
    getAdmin().truncateTable(name, preserveRegions);
    return getConnection().getTable(name);
  }

  public int loadTable(Table table, byte[] family) throws IOException {
    return loadTable(table, new byte[][] {family});
  }

  public int loadTable(Table table, byte[] family, boolean writeLog) throws IOException {
    return load(table, new byte[][] {family}, null, writeLog);
  }

  public int loadTable(Table table, byte[][] families) throws IOException {
    return loadTable(table, families, null);
  }

  public int loadTable(Table table, byte[][] families, byte[] value) throws IOException {
    return load(table, families, value, true);
  }

  /** Writes all rows of three letters, each with the value or with itself as value. */
  private static int load(Table table, byte[][] families, byte[] value, boolean writeLog)
      throws IOException {
    List<Put> puts = new ArrayList<>();
    for (byte[] row : ROWS) {
      Put put = new Put(row);
      put.setDurability(writeLog ? Durability.USE_DEFAULT : Durability.SKIP_WAL);
      for (byte[] family : families) {
        put.addColumn(family, null, value == null ? row : value);
      }
      puts.add(put);
    }
    table.put(puts);
    return puts.size();
  }

  public void loadNumericRows(Table table, byte[] family, int start, int end) throws IOException {
    for (int i = start; i < end; i++) {
      byte[] row = Bytes.toBytes(String.valueOf(i));
      table.put(new Put(row).addColumn(family, null, row));
    }
  }

  public void loadRandomRows(Table table, byte[] family, int rowBytes, int rows)
      throws IOException {
    for (int i = 0; i < rows; i++) {
      byte[] row = new byte[rowBytes];
      Bytes.random(row);
      table.put(new Put(row).addColumn(family, new byte[] {0}, new byte[] {0}));
    }
  }

  public int countRows(TableName name) throws IOException {
    try (Table table = getConnection().getTable(name)) {
      return countRows(table);
    }
  }

  public int countRows(Table table) throws IOException {
    return countRows(table, new Scan());
  }

  public int countRows(Table table, byte[]... families) throws IOException {
    Scan scan = new Scan();
    for (byte[] family : families) {
      scan.addFamily(family);
    }
    return countRows(table, scan);
  }

  public int countRows(Table table, Scan scan) throws IOException {
    int rows = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }
}
