// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.Rule;
import org.junit.Test;

// code: hbase-junit-4
public class OrdersRuleTest { // JUnit 4
  @Rule public final EmbeddedHBaseRule hbase = new EmbeddedHBaseRule();

  @Test
  public void storesAnOrder() throws IOException {
    hbase.getAdmin().createTable(Orders.TABLE);
    Orders orders = new Orders(hbase.getConnection());
    orders.store("1", "3 books");
    assertThat(orders.find("1")).isEqualTo("3 books");
  }
}
// end
