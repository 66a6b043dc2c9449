// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import io.accordiondb.DatabaseOptions;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** Reads the options of a connection's database from a configuration of Hadoop. */
final class StoreSettings {
  private static final String KEYS = "accordion.client.";

  private StoreSettings() {}

  /**
   * Returns the options that a configuration sets. Timestamps come from HBase's clock, which is the
   * system's unless a test has replaced it.
   */
  static DatabaseOptions options(Configuration conf) throws IOException {
    DatabaseOptions.Builder builder =
        DatabaseOptions.builder()
            .clock(() -> Instant.ofEpochMilli(EnvironmentEdgeManager.currentTime()));
    Map<String, String> set = new TreeMap<>(conf.getPropsWithPrefix(KEYS));
    set.remove(EmbeddedConnection.PATH_KEY.substring(KEYS.length()));
    set.remove(ConnectionThreads.KEY.substring(KEYS.length()));
    try {
      set.forEach(builder::set);
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("a key that begins with " + KEYS + ": " + e.getMessage(), e);
    }
  }
}
