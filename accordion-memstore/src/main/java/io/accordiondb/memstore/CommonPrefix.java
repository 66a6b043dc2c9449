// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.segment.KeyPrefix;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the bytes that the rows of a store's segments have in common at their beginning.
 * Thread-safe.
 */
final class CommonPrefix {
  private static final VarHandle KNOWN = handle();

  /** Null until a segment has shown it. Set by {@link #KNOWN} alone. */
  private volatile @Nullable KeyPrefix known;

  private static VarHandle handle() {
    try {
      return MethodHandles.lookup().findVarHandle(CommonPrefix.class, "known", KeyPrefix.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Returns the map that fits all segments seen, or null as long as there was none. */
  @Nullable KeyPrefix known() {
    return known;
  }

  /** Returns the map that fits all segments seen; without an anchor as long as there was none. */
  KeyPrefix get() {
    KeyPrefix prefix = known;
    return prefix == null ? KeyPrefix.UNANCHORED : prefix;
  }

  /** Learns from a segment's rows. */
  void fit(KeyPrefix fitting) {
    while (true) {
      KeyPrefix before = known;
      if (KNOWN.compareAndSet(
          this, before, before == null ? fitting : before.commonWith(fitting))) {
        return;
      }
    }
  }
}
