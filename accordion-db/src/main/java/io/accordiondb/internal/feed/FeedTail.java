// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.feed;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.internal.wal.LogTail;
import java.io.Closeable;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The tail that a feed reads. The feed closes it, or the database does. Thread-safe.
 *
 * <p>The database refers to it and not to the feed, so that a feed can be found that the
 * application has forgotten.
 */
final class FeedTail implements Closeable {
  private final Set<FeedTail> open;
  private final LogTail tail;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private boolean closed;

  /**
   * Takes over a tail.
   *
   * @param open the open tails of the database, from which this one removes itself
   */
  FeedTail(LogTail tail, Set<FeedTail> open) {
    this.tail = tail;
    this.open = open;
  }

  /**
   * Returns the tail, which no other thread closes until {@link #unlock}. It is closed if the feed
   * or the database is.
   */
  LogTail lock() {
    lock.lock();
    return tail;
  }

  /** Reverts {@link #lock}. */
  void unlock() {
    lock.unlock();
  }

  /** Closes the tail, when no thread reads it. Idempotent. */
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        open.remove(this);
        tail.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
