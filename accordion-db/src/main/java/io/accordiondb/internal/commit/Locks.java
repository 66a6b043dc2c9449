// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Takes locks for work that must be done even if memory is out. */
final class Locks {
  private static final long RETRY_NANOS = 1_000_000;

  private Locks() {}

  /** Takes a lock. To wait for one may need memory; if there is none, it is tried again. */
  static void takeWhateverFails(ReentrantLock lock) {
    while (true) {
      try {
        lock.lock();
        return;
      } catch (OutOfMemoryError e) {
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }
}
