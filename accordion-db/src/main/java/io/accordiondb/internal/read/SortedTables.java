// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellSource;
import java.util.List;

/**
 * The sorted tables of a store as a reader sees them. Immutable.
 *
 * @param setNumber a number that identifies this combination of tables within the database; without
 *     meaning if there is no {@link ColumnCache}
 * @param sources the tables, newest first
 * @param maxTimestamp highest timestamp of all cells, {@link Long#MIN_VALUE} if there are none
 * @param maxSequence highest sequence number of all cells, 0 if there are none
 */
public record SortedTables(
    long setNumber, List<CellSource> sources, long maxTimestamp, long maxSequence) {

  /** Returns an object of the given tables, newest first. */
  public static SortedTables of(long setNumber, List<CellSource> sources) {
    long maxTimestamp = Long.MIN_VALUE;
    long maxSequence = 0;
    for (CellSource source : sources) {
      maxTimestamp = Math.max(maxTimestamp, source.maxTimestamp());
      maxSequence = Math.max(maxSequence, source.maxSequence());
    }
    return new SortedTables(setNumber, List.copyOf(sources), maxTimestamp, maxSequence);
  }
}
