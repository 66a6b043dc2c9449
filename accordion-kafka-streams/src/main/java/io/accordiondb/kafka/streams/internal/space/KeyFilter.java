// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

/** Decides which keys an iterator returns. */
@FunctionalInterface
public interface KeyFilter {
  /** Accepts all keys. */
  KeyFilter ALL = key -> true;

  /** Returns whether a key, as the store knows it, is shown. */
  boolean accepts(byte[] key);
}
