// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;

/**
 * Makes locators of the regions of a table.
 *
 * @param <L> HBase's locator, synchronous or asynchronous
 */
@FunctionalInterface
public interface Locators<L> {
  /**
   * {@return the locator of a table}
   *
   * @param table the table
   * @throws IOException if the connection is closed
   */
  L of(TableName table) throws IOException;
}
