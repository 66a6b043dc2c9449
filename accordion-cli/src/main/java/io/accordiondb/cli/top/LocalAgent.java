// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.top;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * The JMX agent of another Java process of this user on this machine. Stateless.
 *
 * <p>To attach to a process, the JDK may send it the signal QUIT, which ends a process that is not
 * a JVM. So a process gets it only if it handles the signal, where the system tells.
 */
public final class LocalAgent {
  private static final String CAUGHT_SIGNALS = "SigCgt:";
  private static final long QUIT = 1 << 2;

  private LocalAgent() {}

  /**
   * Connects to the agent of a process, and starts it if it does not run yet.
   *
   * @throws IOException if it is no Java process of this user, or if it refuses
   */
  // The address is that of an agent on this machine; the process itself reported it.
  @SuppressWarnings("BanJNDI")
  public static JMXConnector connect(long pid) throws IOException {
    if (!handlesQuit(pid)) {
      throw new IOException("it does not handle the signal QUIT, as a JVM does");
    }
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static boolean handlesQuit(long pid) {
    List<String> status;
    try {
      status = Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"));
    } catch (IOException e) {
      // Then the system does not tell, or there is no such process.
      return true;
    }
    return status.stream()
        .filter(line -> line.startsWith(CAUGHT_SIGNALS))
        .map(line -> line.substring(CAUGHT_SIGNALS.length()).strip())
        .allMatch(mask -> (Long.parseUnsignedLong(mask, 16) & QUIT) != 0);
  }
}
