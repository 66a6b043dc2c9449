// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.junit;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** What the application has whose tests docs/HBASE_CLIENT.md shows. */
record Orders(Connection connection) {
  private static final TableName NAME = TableName.valueOf("orders");
  private static final byte[] FAMILY = Bytes.toBytes("d");

  static final TableDescriptor TABLE =
      TableDescriptorBuilder.newBuilder(NAME)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
          .build();

  void store(String number, String order) throws IOException {
    try (Table table = connection.getTable(NAME)) {
      table.put(new Put(Bytes.toBytes(number)).addColumn(FAMILY, null, Bytes.toBytes(order)));
    }
  }

  String find(String number) throws IOException {
    try (Table table = connection.getTable(NAME)) {
      return Bytes.toString(table.get(new Get(Bytes.toBytes(number))).getValue(FAMILY, null));
    }
  }
}
