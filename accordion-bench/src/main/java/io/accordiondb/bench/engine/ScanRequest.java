// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The range of a scan, in the order of unsigned bytes.
 *
 * @param kind which keys are read, and in which order
 * @param key the key to begin at, inclusive, which need not exist; or the prefix
 * @param count how many rows (of an {@link EntryStore}: entries) are read at most
 */
public record ScanRequest(Kind kind, byte[] key, int count) {
  /** Which keys a scan reads, and in which order. */
  public enum Kind {
    /** From a key upwards. */
    FORWARD,
    /** From a key downwards. */
    REVERSE,
    /** The keys that begin with a prefix, upwards. */
    PREFIX
  }

  /** Returns a scan from a key upwards. */
  public static ScanRequest forward(byte[] fromKey, int count) {
    return new ScanRequest(Kind.FORWARD, fromKey, count);
  }

  /** Returns whether keys are read downwards. */
  public boolean reversed() {
    return kind == Kind.REVERSE;
  }

  /**
   * Returns the lowest key above all that begin with the prefix; null if nothing bounds the scan.
   */
  byte @Nullable [] end() {
    int last = kind == Kind.PREFIX ? key.length - 1 : -1;
    while (last >= 0 && key[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      return null;
    }
    byte[] end = Arrays.copyOf(key, last + 1);
    end[last]++;
    return end;
  }

  /** Returns whether the scan goes as far as a key that lies at or behind its beginning. */
  boolean reaches(byte[] other) {
    return kind != Kind.PREFIX
        || other.length >= key.length && Arrays.equals(key, 0, key.length, other, 0, key.length);
  }
}
