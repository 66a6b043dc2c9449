// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import java.util.concurrent.locks.LockSupport;

/** Pins the virtual thread that initializes it. */
public final class ParksInInitializer {
  static {
    LockSupport.parkNanos(1_000_000);
  }

  private ParksInInitializer() {}

  /** Initializes the class, unless that has happened. */
  public static void initialize() {}
}
