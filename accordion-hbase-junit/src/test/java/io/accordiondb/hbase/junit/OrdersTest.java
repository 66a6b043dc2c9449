// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

// code: hbase-junit-5
@ExtendWith(EmbeddedHBaseExtension.class) // JUnit 5
class OrdersTest {
  @Test
  void storesAnOrder(Connection connection, Admin admin) throws IOException {
    admin.createTable(Orders.TABLE);
    Orders orders = new Orders(connection);
    orders.store("1", "3 books");
    assertThat(orders.find("1")).isEqualTo("3 books");
  }
}
// end
