// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import static io.accordiondb.fixtures.TestData.bytes;

import io.accordiondb.Database;
import io.accordiondb.Put;
import io.accordiondb.hbase.client.catalog.Catalog;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** A database in memory with both administrations over it. */
final class AdminFixture implements Closeable {
  final Database database;
  final Catalog catalog;
  final Configuration configuration = new Configuration(false);
  final Connection connection =
      (Connection)
          Proxy.newProxyInstance(
              AdminFixture.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) ->
                  method.getReturnType() == boolean.class ? (Object) false : null);
  final ExecutorService executor = Executors.newFixedThreadPool(2);
  final Administration administration;
  final Admin admin;
  final AsyncAdmin async;

  AdminFixture() throws IOException {
    this(Database.inMemory());
  }

  /** Takes a database, which it closes. */
  AdminFixture(Database database) throws IOException {
    this.database = database;
    catalog = Catalog.open(database);
    administration = new Administration(catalog, "cluster", configuration, executor);
    admin = administration.admin(connection);
    async = administration.asyncAdmin(() -> false);
  }

  static TableDescriptor table(String name, String... families) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(TableName.valueOf(name));
    for (String family : families) {
      builder.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    }
    return builder.build();
  }

  void put(String table, String row) throws IOException {
    catalog
        .get(TableName.valueOf(table))
        .table()
        .put(new Put(bytes(row)).addColumn(bytes("f"), bytes("q"), bytes("v")));
  }

  @Override
  public void close() throws IOException {
    executor.shutdownNow();
    database.close();
  }
}
