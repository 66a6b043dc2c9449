// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.examples.hbase;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Switches a table of a running HBase over to Accordion's memory store, and back, while rows are
 * written. The region servers must have the plug-in's jars; {@code ./accordion hbase} starts one
 * that has.
 */
public final class SwitchedTable {
  private static final String MEMORY_STORE = "hbase.regionserver.memstore.class";
  private static final String ACCORDION = "io.accordiondb.hbase.AccordionMemStore";
  private static final TableName ORDERS = TableName.valueOf("orders");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");

  private final Connection connection;

  /** Uses a connection, which stays the caller's. */
  public SwitchedTable(Connection connection) {
    this.connection = connection;
  }

  /** Creates the table, with HBase's own memory store. */
  public void create() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(ORDERS)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
    }
  }

  /**
   * Gives the table Accordion's memory store, or HBase's own one. HBase reopens the regions one
   * after another; clients go on, and data in memory is flushed.
   */
  public void switchTo(boolean accordion) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(admin.getDescriptor(ORDERS));
      if (accordion) {
        table.setValue(MEMORY_STORE, ACCORDION);
      } else {
        table.removeValue(Bytes.toBytes(MEMORY_STORE));
      }
      admin.modifyTable(table.build());
    }
  }

  /** Writes rows. */
  public void write(int from, int to) throws IOException {
    try (Table table = connection.getTable(ORDERS)) {
      for (int row = from; row < to; row++) {
        table.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(row)));
      }
    }
  }

  /** Returns how many rows up to a number have their value. */
  public int verify(int to) throws IOException {
    int found = 0;
    try (Table table = connection.getTable(ORDERS)) {
      for (int row = 0; row < to; row++) {
        byte[] value = table.get(new Get(Bytes.toBytes(row))).getValue(FAMILY, QUALIFIER);
        if (value != null && Bytes.toInt(value) == row) {
          found++;
        }
      }
    }
    return found;
  }

  /** Takes ZooKeeper's host and port, as {@code ./accordion hbase} prints them. */
  public static void main(String[] arguments) throws IOException {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", arguments[0]);
    configuration.set("hbase.zookeeper.property.clientPort", arguments[1]);
    try (Connection connection = ConnectionFactory.createConnection(configuration)) {
      SwitchedTable orders = new SwitchedTable(connection);
      orders.create();
      orders.write(0, 1000);
      orders.switchTo(true);
      orders.write(1000, 2000);
      System.out.println("with Accordion's memory store: " + orders.verify(2000) + " rows");
      orders.switchTo(false);
      System.out.println("with HBase's own: " + orders.verify(2000) + " rows");
    }
  }
}
