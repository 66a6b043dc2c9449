// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.inspect;

import io.accordiondb.cli.top.LocalAgent;
import io.accordiondb.inspect.Inspector;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;

/**
 * The process that has a database open, as its lock file names it, and the beans of its JVM, to
 * which it is connected as the same user on the same machine. Not thread-safe.
 */
final class OwnerProcess implements Closeable {
  private final long pid;
  private final JMXConnector connector;

  private OwnerProcess(long pid, JMXConnector connector) {
    this.pid = pid;
    this.connector = connector;
  }

  /**
   * Connects to the process.
   *
   * @throws IOException if no process has the database open, or it cannot be connected to
   */
  static OwnerProcess of(Path folder) throws IOException {
    long pid = pidOf(folder);
    try {
      return new OwnerProcess(pid, LocalAgent.connect(pid));
    } catch (IOException e) {
      throw new IOException(
          "process "
              + pid
              + ", which has "
              + folder
              + " open, refuses the connection ("
              + e.getMessage()
              + "); run this as the same user, on the same machine",
          e);
    }
  }

  private static long pidOf(Path folder) throws IOException {
    return Inspector.owner(folder)
        .orElseThrow(
            () ->
                new IOException(
                    "no process has "
                        + folder
                        + " open; what it has in memory is in its log: inspect log"));
  }

  /** Returns the number of the process. */
  long pid() {
    return pid;
  }

  /** Returns the beans of the process. */
  MBeanServerConnection beans() throws IOException {
    return connector.getMBeanServerConnection();
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
