// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Names that are claimed within this process, across all class loaders. Thread-safe.
 *
 * <p>Each class loader that loads this library has its own static fields, but all of them share the
 * system properties. So each name is a system property. Key and value are strings, because code
 * that lists the properties expects strings.
 */
final class ClaimedNames {
  private static final String PREFIX = "io.accordiondb.lock.";

  /** Lock files that must stay open until the process ends; normally there is none. */
  private static final Queue<PositionalFile> KEPT_OPEN = new ConcurrentLinkedQueue<>();

  private ClaimedNames() {}

  /** Returns the property that stands for a name. */
  static String propertyOf(String name) {
    return PREFIX + name;
  }

  /** Claims a name; returns false if it is claimed already. */
  static boolean claim(String name) {
    return System.getProperties().putIfAbsent(propertyOf(name), "held") == null;
  }

  /** Returns whether a name is claimed. */
  static boolean isClaimed(String name) {
    return System.getProperties().containsKey(propertyOf(name));
  }

  /** Releases the name of a property. Allocates nothing. */
  static void release(String property) {
    System.getProperties().remove(property);
  }

  /** Keeps a file open and reachable until the process ends. */
  static void keepOpen(PositionalFile file) {
    KEPT_OPEN.add(file);
  }
}
