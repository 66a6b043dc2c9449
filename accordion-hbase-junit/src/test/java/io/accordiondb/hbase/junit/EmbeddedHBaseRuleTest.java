// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.AfterClass;
import org.junit.Rule;
import org.junit.Test;

/** With JUnit 4, as the tests that have such a rule. */
public class EmbeddedHBaseRuleTest {
  private static Connection first;

  @Rule public final EmbeddedHBaseRule hbase = new EmbeddedHBaseRule();

  @Test
  public void givesAnEmptyDatabase() throws IOException {
    useFresh();
  }

  @Test
  public void givesAnotherEmptyDatabase() throws IOException {
    useFresh();
  }

  private void useFresh() throws IOException {
    Connection connection = hbase.getConnection();
    if (first == null) {
      first = connection;
    } else {
      assertThat(first.isClosed()).isTrue();
    }
    EmbeddedHBaseExtensionTest.createOrders(hbase.getAdmin());
    assertThat(EmbeddedHBaseExtensionTest.get(connection)).isNull();
    EmbeddedHBaseExtensionTest.put(connection, "1");
    try (Connection other = ConnectionFactory.createConnection(hbase.getConfiguration())) {
      assertThat(EmbeddedHBaseExtensionTest.get(other)).isEqualTo("1");
    }
    assertThat(hbase.getAsyncConnection().isClosed()).isFalse();
  }

  @Test
  public void saysThatItsFieldNeedsAnAnnotation() {
    assertThatThrownBy(() -> new EmbeddedHBaseRule().getConnection())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("@Rule");
  }

  @AfterClass
  public static void hasClosedTheFirst() {
    assertThat(first.isClosed()).isTrue();
  }
}
