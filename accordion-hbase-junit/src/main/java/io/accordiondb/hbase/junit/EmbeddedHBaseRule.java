// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;
import org.junit.rules.ExternalResource;

/**
 * Gives tests of JUnit 4 HBase's connection to an empty database in memory: each method its own as
 * a {@code @Rule}, a class one as a {@code @ClassRule}.
 *
 * <pre>{@code
 * @Rule public final EmbeddedHBaseRule hbase = new EmbeddedHBaseRule();
 *
 * @Test
 * public void storesAnOrder() throws IOException {
 *   new Orders(hbase.getConnection()).store(order);
 * }
 * }</pre>
 */
public final class EmbeddedHBaseRule extends ExternalResource {
  private final Configuration configuration;
  private @Nullable EmbeddedHBase database;

  /** Creates a rule with HBase's default configuration. */
  public EmbeddedHBaseRule() {
    this(EmbeddedHBase.defaults());
  }

  /**
   * Creates a rule.
   *
   * @param configuration the configuration of the connections; is copied for each test
   */
  public EmbeddedHBaseRule(Configuration configuration) {
    this.configuration = configuration;
  }

  @Override
  protected void before() throws IOException {
    database = EmbeddedHBase.start(configuration);
  }

  @Override
  protected void after() {
    EmbeddedHBase started = started();
    database = null;
    try {
      started.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * {@return the configuration with which HBase's {@code ConnectionFactory} leads to the test's
   * database}
   */
  public Configuration getConfiguration() {
    return started().configuration();
  }

  /** {@return the connection of the test, which the rule closes} */
  public Connection getConnection() {
    return started().connection();
  }

  /**
   * {@return the administration of the test's database, which the rule closes}
   *
   * @throws IOException if the test has closed the connection
   */
  public Admin getAdmin() throws IOException {
    return started().admin();
  }

  /**
   * {@return the asynchronous connection of the test, which the rule closes}
   *
   * @throws IOException if the test has closed the connection
   */
  public AsyncConnection getAsyncConnection() throws IOException {
    return started().asyncConnection();
  }

  private EmbeddedHBase started() {
    if (database == null) {
      throw new IllegalStateException(
          "no test is running; the field of the rule needs @Rule or @ClassRule");
    }
    return database;
  }
}
