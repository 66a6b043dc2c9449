// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

/**
 * The timeouts of one table in milliseconds, which programs set and read back. No call waits for a
 * network, so none is applied. Not thread-safe.
 */
final class TableTimeouts {
  int operation;
  int rpc;
  int readRpc;
  int writeRpc;
  int scan;

  TableTimeouts(ClientSettings settings) {
    ClientSettings.Timeouts defaults = settings.timeouts();
    operation = defaults.operation();
    rpc = defaults.rpc();
    readRpc = defaults.readRpc();
    writeRpc = defaults.writeRpc();
    scan = defaults.scan();
  }

  private TableTimeouts(TableTimeouts other) {
    operation = other.operation;
    rpc = other.rpc;
    readRpc = other.readRpc;
    writeRpc = other.writeRpc;
    scan = other.scan;
  }

  TableTimeouts copy() {
    return new TableTimeouts(this);
  }
}
