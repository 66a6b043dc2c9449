// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.DatabaseOptions;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The options of an open database, which {@link Reconfiguration} changes. Thread-safe. */
final class LiveOptions implements Supplier<DatabaseOptions> {
  private final ReentrantLock changeLock = new ReentrantLock();
  private volatile DatabaseOptions now;

  LiveOptions(DatabaseOptions atOpening) {
    now = atOpening;
  }

  @Override
  public DatabaseOptions get() {
    return now;
  }

  /** Returns the lock that a thread holds while it changes the options. */
  ReentrantLock changeLock() {
    return changeLock;
  }

  void set(DatabaseOptions options) {
    now = options;
  }
}
