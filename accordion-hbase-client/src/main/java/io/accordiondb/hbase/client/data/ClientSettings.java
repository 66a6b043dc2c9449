// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ConnectionConfiguration;

/**
 * The settings of HBase's client that mean something here, under HBase's names and with HBase's
 * defaults. Timeouts are kept so that programs read back what they have set; no call waits for a
 * network. Immutable.
 *
 * @param scannerCaching how many results HBase would fetch at a time
 * @param scannerResultBytesMax how many bytes HBase would fetch at a time
 * @param keyValueBytesMax the longest cell that a client writes; 0 or less for no limit
 * @param writeBufferBytes how much a buffered mutator collects
 * @param periodicFlushMillis after how long a buffered mutator writes what it has; 0 for never
 * @param periodicFlushTickMillis how often it looks
 */
record ClientSettings(
    int scannerCaching,
    long scannerResultBytesMax,
    int keyValueBytesMax,
    long writeBufferBytes,
    long periodicFlushMillis,
    long periodicFlushTickMillis,
    Timeouts timeouts) {

  /** Timeouts in milliseconds. */
  record Timeouts(int operation, int rpc, int readRpc, int writeRpc, int scan) {}

  static ClientSettings of(Configuration conf) {
    int rpc = conf.getInt(HConstants.HBASE_RPC_TIMEOUT_KEY, HConstants.DEFAULT_HBASE_RPC_TIMEOUT);
    return new ClientSettings(
        conf.getInt(
            HConstants.HBASE_CLIENT_SCANNER_CACHING,
            HConstants.DEFAULT_HBASE_CLIENT_SCANNER_CACHING),
        conf.getLong(
            HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY,
            HConstants.DEFAULT_HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE),
        conf.getInt(
            ConnectionConfiguration.MAX_KEYVALUE_SIZE_KEY,
            ConnectionConfiguration.MAX_KEYVALUE_SIZE_DEFAULT),
        conf.getLong(
            ConnectionConfiguration.WRITE_BUFFER_SIZE_KEY,
            ConnectionConfiguration.WRITE_BUFFER_SIZE_DEFAULT),
        conf.getLong(
            ConnectionConfiguration.WRITE_BUFFER_PERIODIC_FLUSH_TIMEOUT_MS,
            ConnectionConfiguration.WRITE_BUFFER_PERIODIC_FLUSH_TIMEOUT_MS_DEFAULT),
        conf.getLong(
            ConnectionConfiguration.WRITE_BUFFER_PERIODIC_FLUSH_TIMERTICK_MS,
            ConnectionConfiguration.WRITE_BUFFER_PERIODIC_FLUSH_TIMERTICK_MS_DEFAULT),
        new Timeouts(
            conf.getInt(
                HConstants.HBASE_CLIENT_OPERATION_TIMEOUT,
                HConstants.DEFAULT_HBASE_CLIENT_OPERATION_TIMEOUT),
            rpc,
            conf.getInt(HConstants.HBASE_RPC_READ_TIMEOUT_KEY, rpc),
            conf.getInt(HConstants.HBASE_RPC_WRITE_TIMEOUT_KEY, rpc),
            conf.getInt(
                HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD,
                HConstants.DEFAULT_HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD)));
  }
}
