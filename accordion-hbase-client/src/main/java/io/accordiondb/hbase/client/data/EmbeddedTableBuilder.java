// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;

/** Builds tables. Not thread-safe. */
public final class EmbeddedTableBuilder implements TableBuilder {
  private final Session session;
  private final TableName name;
  private final Locators<RegionLocator> locators;
  private final TableTimeouts timeouts;
  private final Map<String, byte[]> requestAttributes = new HashMap<>();

  /**
   * Creates a builder.
   *
   * @param session the session of the connection
   * @param name the table, which need not exist yet
   * @param locators makes the locators of the table's regions
   */
  public EmbeddedTableBuilder(Session session, TableName name, Locators<RegionLocator> locators) {
    if (name == null) {
      throw new IllegalArgumentException("Given table name is null");
    }
    this.session = session;
    this.name = name;
    this.locators = locators;
    this.timeouts = new TableTimeouts(session.settings());
  }

  @Override
  public EmbeddedTableBuilder setOperationTimeout(int millis) {
    timeouts.operation = millis;
    return this;
  }

  @Override
  public EmbeddedTableBuilder setRpcTimeout(int millis) {
    timeouts.rpc = millis;
    return this;
  }

  @Override
  public EmbeddedTableBuilder setReadRpcTimeout(int millis) {
    timeouts.readRpc = millis;
    return this;
  }

  @Override
  public EmbeddedTableBuilder setWriteRpcTimeout(int millis) {
    timeouts.writeRpc = millis;
    return this;
  }

  @Override
  public EmbeddedTableBuilder setRequestAttribute(String key, byte[] value) {
    requestAttributes.put(key, value);
    return this;
  }

  @Override
  public Table build() {
    return new EmbeddedTable(
        session, name, locators, timeouts.copy(), Map.copyOf(requestAttributes));
  }
}
