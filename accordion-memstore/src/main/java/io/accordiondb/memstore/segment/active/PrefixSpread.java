// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import java.util.Arrays;

/**
 * Maps key prefixes to numbered buckets, lower prefixes to lower buckets, as evenly as a sample
 * allows. Bytes of text take few of the 256 values, so each byte is scaled to the range that it has
 * in the sample. A prefix outside the sample may get a bucket that is too high or too low.
 * Immutable.
 */
final class PrefixSpread {
  /** Places told apart for each bucket, before they are rounded. */
  private static final int PLACES_BY_BUCKET = 4;

  private final int buckets;

  /** Of the first bytes, as many as count: the lowest value, and the number of values. */
  private final int[] lowest;

  private final int[] ranges;
  private final double scale;

  /**
   * Learns from a sample.
   *
   * @param sample prefixes, at least one
   * @param buckets number of buckets, at least 1
   */
  PrefixSpread(long[] sample, int buckets) {
    int[] min = new int[Long.BYTES];
    int[] max = new int[Long.BYTES];
    Arrays.fill(min, 0xFF);
    for (long prefix : sample) {
      for (int i = 0; i < Long.BYTES; i++) {
        int value = byteAt(prefix, i);
        min[i] = Math.min(min[i], value);
        max[i] = Math.max(max[i], value);
      }
    }
    long places = 1;
    int used = 0;
    // No second condition ends the loop: a sample in which all bytes count is so rare that HotSpot
    // would leave its branch out of an insertion, and compile that again when a store begins.
    for (int i = 0; i < Long.BYTES; i++) {
      if (places < (long) PLACES_BY_BUCKET * buckets) {
        places *= max[i] - min[i] + 1;
        used++;
      }
    }
    this.buckets = buckets;
    this.lowest = Arrays.copyOf(min, used);
    this.ranges = new int[used];
    for (int i = 0; i < used; i++) {
      ranges[i] = max[i] - min[i] + 1;
    }
    this.scale = (double) buckets / places;
  }

  private static int byteAt(long prefix, int index) {
    return (int) (prefix >>> Long.SIZE - Byte.SIZE * (index + 1)) & 0xFF;
  }

  /** Returns the bucket of a prefix, from 0 on. */
  int bucket(long prefix) {
    int place = 0;
    for (int i = 0; i < ranges.length; i++) {
      int value = byteAt(prefix, i) - lowest[i];
      place = place * ranges[i] + Math.max(0, Math.min(ranges[i] - 1, value));
    }
    return Math.min(buckets - 1, (int) (place * scale));
  }
}
