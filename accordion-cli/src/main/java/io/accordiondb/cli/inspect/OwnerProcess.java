// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.inspect;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * The process that has a database open, as its lock file names it, and the beans of its JVM, to
 * which it is connected as the same user on the same machine. Not thread-safe.
 */
final class OwnerProcess implements Closeable {
  private static final String LOCK = "LOCK";

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
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        JMXServiceURL address = new JMXServiceURL(machine.startLocalManagementAgent());
        return new OwnerProcess(pid, connect(address));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException | IOException e) {
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

  /** Connects to an agent that this process has just started in one of the same user. */
  @SuppressWarnings("BanJNDI")
  private static JMXConnector connect(JMXServiceURL address) throws IOException {
    return JMXConnectorFactory.connect(address);
  }

  /** Returns the number of the living process that the lock file names first. */
  private static long pidOf(Path folder) throws IOException {
    Path lock = folder.resolve(LOCK);
    List<String> lines = Files.exists(lock) ? Files.readAllLines(lock) : List.of();
    long pid = 0;
    try {
      pid = lines.isEmpty() ? 0 : Long.parseLong(lines.get(0));
    } catch (NumberFormatException e) {
      throw new IOException(lock + " does not name the process that has the database open", e);
    }
    if (pid == 0 || ProcessHandle.of(pid).isEmpty()) {
      throw new IOException(
          "no process has " + folder + " open; what it has in memory is in its log: inspect log");
    }
    return pid;
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
