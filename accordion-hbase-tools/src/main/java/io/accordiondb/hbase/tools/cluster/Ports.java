// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Ports of this machine that were free a moment ago. All are bound at the same time, so that none
 * comes twice; another program may still take one before the cluster does, and then the process
 * that needs it ends with an error.
 */
final class Ports {
  private final Queue<Integer> free = new ArrayDeque<>();

  /** Finds a number of free ports. */
  Ports(int count) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        ServerSocket socket = new ServerSocket();
        held.add(socket);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        free.add(socket.getLocalPort());
      }
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
    }
  }

  /** Returns the next port. */
  int next() {
    return free.remove();
  }

  /**
   * Verifies that nobody listens at a port.
   *
   * @throws BindException if it is taken; the message names it
   */
  static void verifyFree(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      // As ZooKeeper does: connections that wait for their end do not matter.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (BindException e) {
      BindException named = new BindException("port " + port + " is taken: " + e.getMessage());
      named.initCause(e);
      throw named;
    }
  }
}
