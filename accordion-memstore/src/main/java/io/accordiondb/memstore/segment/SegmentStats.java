// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

/**
 * Counts and ranges over the cells of a segment. Immutable.
 *
 * @param cells number of cells, delete markers included
 * @param deleteMarkers number of cells that hide others, or will: delete markers, operands, and
 *     puts with a time to live of their own
 * @param maxVersionMarkerTimestamp highest timestamp of the delete markers that hide puts of
 *     exactly their timestamp, {@link Long#MIN_VALUE} without such markers
 * @param dataBytes bytes of the cells without overhead
 * @param minTimestamp lowest timestamp, {@link Long#MAX_VALUE} without cells
 * @param maxTimestamp highest timestamp, {@link Long#MIN_VALUE} without cells
 * @param minSequence lowest sequence number, {@link Long#MAX_VALUE} without cells
 * @param maxSequence highest sequence number, 0 without cells
 */
public record SegmentStats(
    long cells,
    long deleteMarkers,
    long maxVersionMarkerTimestamp,
    long dataBytes,
    long minTimestamp,
    long maxTimestamp,
    long minSequence,
    long maxSequence) {

  /** The counts of no cells. */
  public static final SegmentStats EMPTY =
      new SegmentStats(0, 0, Long.MIN_VALUE, 0, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, 0);

  /**
   * Returns these counts with a lowest sequence number that is not above another one. Operands that
   * were combined into cells with higher numbers keep their own lowest number this way, because
   * their log is still needed.
   */
  public SegmentStats withMinSequence(long other) {
    return new SegmentStats(
        cells,
        deleteMarkers,
        maxVersionMarkerTimestamp,
        dataBytes,
        minTimestamp,
        maxTimestamp,
        Math.min(minSequence, other),
        maxSequence);
  }

  /** Returns the sum of both. */
  public SegmentStats plus(SegmentStats other) {
    return new SegmentStats(
        cells + other.cells,
        deleteMarkers + other.deleteMarkers,
        Math.max(maxVersionMarkerTimestamp, other.maxVersionMarkerTimestamp),
        dataBytes + other.dataBytes,
        Math.min(minTimestamp, other.minTimestamp),
        Math.max(maxTimestamp, other.maxTimestamp),
        Math.min(minSequence, other.minSequence),
        Math.max(maxSequence, other.maxSequence));
  }
}
