// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

class EmbeddedHBaseExtensionTest {
  static final TableName ORDERS = TableName.valueOf("orders");
  static final byte[] ROW = Bytes.toBytes("row");
  static final byte[] FAMILY = Bytes.toBytes("d");

  static void createOrders(Admin admin) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(ORDERS)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build());
  }

  static void put(Connection connection, String value) throws IOException {
    try (Table table = connection.getTable(ORDERS)) {
      table.put(new Put(ROW).addColumn(FAMILY, null, Bytes.toBytes(value)));
    }
  }

  static String get(Connection connection) throws IOException {
    try (Table table = connection.getTable(ORDERS)) {
      return Bytes.toString(table.get(new Get(ROW)).getValue(FAMILY, null));
    }
  }

  @Nested
  @ExtendWith(EmbeddedHBaseExtension.class)
  class ADatabasePerTest {
    private static final List<Connection> GIVEN = new ArrayList<>();

    @BeforeEach
    void create(Admin admin) throws IOException {
      createOrders(admin);
    }

    @RepeatedTest(3)
    void isEmptyAndClosedAfterwards(Connection connection, Admin admin) throws IOException {
      assertThat(admin.getConnection()).isSameAs(connection);
      assertThat(get(connection)).isNull();
      put(connection, "1");
      assertThat(get(connection)).isEqualTo("1");
      assertThat(GIVEN).allMatch(Connection::isClosed);
      GIVEN.add(connection);
    }

    @Test
    void isThatOfAnAsynchronousConnection(Connection connection, AsyncConnection asynchronous)
        throws IOException {
      asynchronous
          .getTable(ORDERS)
          .put(new Put(ROW).addColumn(FAMILY, null, Bytes.toBytes("2")))
          .join();
      assertThat(get(connection)).isEqualTo("2");
    }

    @Test
    void isFoundByAnApplicationThatConnectsItself(Connection connection, Configuration conf)
        throws Exception {
      put(connection, "3");
      try (Connection own = ConnectionFactory.createConnection(conf);
          AsyncConnection asynchronous = ConnectionFactory.createAsyncConnection(conf).get()) {
        assertThat(own).isNotSameAs(connection);
        assertThat(get(own)).isEqualTo("3");
        assertThat(asynchronous.getTable(ORDERS).exists(new Get(ROW)).join()).isTrue();
      }
      assertThat(get(connection)).isEqualTo("3");
    }
  }

  @Nested
  @ExtendWith(EmbeddedHBaseExtension.class)
  class ADatabasePerClass {
    private static Connection connection;

    @BeforeAll
    static void create(Admin admin, Connection shared) throws IOException {
      createOrders(admin);
      put(shared, "1");
      connection = shared;
    }

    @RepeatedTest(2)
    void isThatOfBeforeAll(Connection own) throws IOException {
      assertThat(own).isSameAs(connection);
      assertThat(get(own)).isEqualTo("1");
    }

    @AfterAll
    static void isStillOpen() {
      assertThat(connection.isClosed()).isFalse();
    }
  }

  @Nested
  class ARegisteredExtension {
    @RegisterExtension
    final EmbeddedHBaseExtension hbase = new EmbeddedHBaseExtension(withThreads());

    @Test
    void hasItsConfiguration(Connection connection, Configuration configuration) {
      assertThat(configuration.get("accordion.client.threads")).isEqualTo("3");
      assertThat(connection.getConfiguration()).isSameAs(configuration);
    }
  }

  private static Configuration withThreads() {
    Configuration configuration = EmbeddedHBase.defaults();
    configuration.setInt("accordion.client.threads", 3);
    return configuration;
  }
}
