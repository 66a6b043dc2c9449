// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.hbase.client.EmbeddedConnection;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first program of docs/HBASE_CLIENT.md. */
class FolderConnectionTest {
  @Test
  void putsIntoAFolder(@TempDir Path folder) throws IOException {
    try (Connection connection = EmbeddedConnection.open(folder);
        Admin admin = connection.getAdmin()) {
      admin.createTable(Orders.TABLE);
    }
    byte[] row = Bytes.toBytes("1");
    byte[] family = Bytes.toBytes("d");
    byte[] qualifier = new byte[0];
    byte[] value = Bytes.toBytes("3 books");
    // code: hbase-connection
    try (Connection connection = EmbeddedConnection.open(folder);
        Table orders = connection.getTable(TableName.valueOf("orders"))) {
      orders.put(new Put(row).addColumn(family, qualifier, value));
    }
    // end
    try (Connection connection = EmbeddedConnection.open(folder)) {
      assertThat(new Orders(connection).find("1")).isEqualTo("3 books");
    }
  }
}
