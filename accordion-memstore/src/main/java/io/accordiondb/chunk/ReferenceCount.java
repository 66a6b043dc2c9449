// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the holders of a resource that must be released exactly once. Thread-safe. */
public final class ReferenceCount {
  private final AtomicInteger count = new AtomicInteger(1);

  /**
   * Adds a holder, unless the last holder has already gone.
   *
   * @return whether the holder was added
   */
  public boolean tryRetain() {
    int current = count.get();
    while (current > 0) {
      int witness = count.compareAndExchange(current, current + 1);
      if (witness == current) {
        return true;
      }
      current = witness;
    }
    return false;
  }

  /** Adds a holder. The caller knows of another one. */
  public void retain() {
    if (!tryRetain()) {
      throw new IllegalStateException("retained after the last holder had gone");
    }
  }

  /**
   * Removes a holder.
   *
   * @return whether it was the last holder; if so, the caller must free the resource
   */
  public boolean release() {
    int left = count.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException("released more often than retained");
    }
    return left == 0;
  }
}
