// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

/**
 * What the keys and values of a store mean. A store never reads what it has kept in another format.
 *
 * @param kind the kind of the store and of its values, without a slash
 * @param segmentMillis the milliseconds of a segment; 0 for a store without segments
 */
public record StoreFormat(String kind, long segmentMillis) {
  /** Returns what an incarnation has behind its random part. */
  String suffix() {
    return "/" + kind + segmentSuffix();
  }

  /** Returns whether what an incarnation has behind its random part says this format. */
  boolean isSaidBy(String suffix) {
    // The first stores say no kind.
    return suffix.equals(suffix()) || suffix.equals(segmentSuffix());
  }

  private String segmentSuffix() {
    return segmentMillis == 0 ? "" : "/" + segmentMillis;
  }
}
