// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

/**
 * The limits of the memory of a JVM.
 *
 * @param heapMegabytes the Java heap
 * @param directMegabytes direct buffers, in which the plug-in and the network have their bytes
 */
public record JvmMemory(int heapMegabytes, int directMegabytes) {
  /** What the network takes of the direct buffers. */
  static final int NETWORK_MEGABYTES = 64;

  /** What all region servers may have together, so that a cluster stays within 6 GB. */
  private static final int SERVERS_MEGABYTES = 4400;

  /** What a JVM takes besides heap and direct buffers: classes, code, stacks. */
  private static final int JVM_MEGABYTES = 220;

  private static final int SERVER_MEGABYTES_MAX = 1024;
  private static final double HEAP_SHARE = 0.55;

  /** Checks that there is a heap. */
  public JvmMemory {
    if (heapMegabytes < 1 || directMegabytes < NETWORK_MEGABYTES / 2) {
      throw new IllegalArgumentException(
          "a heap of " + heapMegabytes + " MB and " + directMegabytes + " MB of direct buffers");
    }
  }

  /** Returns the share of one of several region servers in what all may have. */
  public static JvmMemory ofServer(int servers) {
    int share = Math.min(SERVER_MEGABYTES_MAX, SERVERS_MEGABYTES / servers - JVM_MEGABYTES);
    int heap = (int) (share * HEAP_SHARE);
    return new JvmMemory(heap, share - heap);
  }

  /** Returns how much of the direct buffers memory stores may take. */
  int storeMegabytes() {
    return Math.max(0, directMegabytes - NETWORK_MEGABYTES);
  }
}
