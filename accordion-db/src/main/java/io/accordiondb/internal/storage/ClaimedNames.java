// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Names that are claimed within this process, across all class loaders. Thread-safe.
 *
 * <p>Each class loader that loads this library has its own static fields, but all of them share the
 * system properties. So each name is a system property. Key and value are strings, because code
 * that lists the properties expects strings.
 *
 * <p>Properties may outlive their claims: tests restore them as they were before, and a process may
 * pass its own to another. So the value says who claims the name. A claim of another process has
 * ended here, and whether one of this class loader has ended is known here. One of another class
 * loader counts as held.
 */
final class ClaimedNames {
  private static final String PREFIX = "io.accordiondb.lock.";

  /** What the values of this process begin with. */
  private static final String PROCESS = process();

  /** The value of all claims of this class loader. */
  private static final String HOLDER = PROCESS + UUID.randomUUID();

  /** The properties that this class loader has claimed. */
  private static final Set<String> HELD = ConcurrentHashMap.newKeySet();

  /** Lock files that must stay open; normally there is none. */
  private static final Map<String, PositionalFile> KEPT_OPEN = new ConcurrentHashMap<>();

  private ClaimedNames() {}

  private static String process() {
    LockOwner owner = LockOwner.thisProcess("");
    return owner.pid() + "/" + owner.start() + "/";
  }

  /** Returns the property that stands for a name. */
  static String propertyOf(String name) {
    return PREFIX + name;
  }

  /** Claims a name; returns false if it is claimed already. */
  static boolean claim(String name) {
    String property = propertyOf(name);
    if (!HELD.add(property)) {
      return false;
    }
    boolean claimed = false;
    try {
      Object holder =
          System.getProperties()
              .compute(property, (same, value) -> isOfAnotherLoader(value) ? value : HOLDER);
      claimed = HOLDER.equals(holder);
      return claimed;
    } finally {
      if (!claimed) {
        HELD.remove(property);
      }
    }
  }

  private static boolean isOfAnotherLoader(@Nullable Object value) {
    return value instanceof String holder && holder.startsWith(PROCESS) && !holder.equals(HOLDER);
  }

  /** Returns whether another class loader of this process claims the name of a property. */
  static boolean isClaimedElsewhere(String property) {
    return isOfAnotherLoader(System.getProperties().get(property));
  }

  /** Returns whether a name is claimed. */
  static boolean isClaimed(String name) {
    String property = propertyOf(name);
    return HELD.contains(property) || isClaimedElsewhere(property);
  }

  /** Releases the name of a property. Allocates nothing. */
  static void release(String property) {
    System.getProperties().remove(property, HOLDER);
    // Afterwards, or else the property of the next claim would be removed.
    HELD.remove(property);
  }

  /** Keeps a file open and reachable, until it is taken. */
  static void keepOpen(String name, PositionalFile file) {
    KEPT_OPEN.put(name, file);
  }

  /** Returns the file that is kept open under a name, which is kept no more, or null. */
  static @Nullable PositionalFile takeKept(String name) {
    return KEPT_OPEN.remove(name);
  }
}
