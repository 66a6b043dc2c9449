// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.nio.ByteBuffer;

/**
 * Decides which cells of a family have expired, by any rule. A family refers to its filter by name
 * ({@link FamilyDescriptor.Builder#compactionFilter}), and {@link
 * DatabaseOptions.Builder#compactionFilter} defines the name.
 *
 * <p>A cell that a filter drops acts as a delete of its column: it hides all versions that were
 * written before it with a lower timestamp, so no older value comes back. The cell is removed when
 * a flush, or a compaction in memory or of files, finds that there is nothing older left to hide.
 * Until then readers see it, unless the family applies the filter to reads ({@link
 * FamilyDescriptor.Builder#filtersReads}); then the result of a read does not depend on what has
 * been compacted.
 *
 * <p>Many threads call a filter at once, often, and repeatedly for the same cell, including cells
 * that no reader sees. It is not called for delete markers. Flushes and compactions do not call it
 * for cells newer than the oldest open snapshot; reads of a family with {@code filtersReads} do.
 * Once a filter has decided to drop a cell, it must always decide so. If it throws, the cell is
 * kept, and a read that depends on it fails with {@link CompactionFilterException}. It must not
 * flush, compact or close the database that calls it, which would wait for the filter itself: on a
 * thread of the database that throws an {@link IllegalStateException}. To call {@link System#exit},
 * use another thread.
 */
@FunctionalInterface
public interface CompactionFilter {
  /** The decision on a cell. */
  enum Decision {
    /** The cell is kept. */
    KEEP,
    /** The cell has expired. */
    DROP
  }

  /** A cell to decide on. Its buffers are read-only, and valid during the call. */
  interface Candidate {
    /** {@return the name of the table} */
    String table();

    /** {@return the name of the family} */
    String family();

    /** {@return the row} */
    ByteBuffer row();

    /** {@return the qualifier} */
    ByteBuffer qualifier();

    /**
     * {@return the timestamp, usually in milliseconds of the epoch; the time of the read for a cell
     * of an uncommitted transaction that was written without one}
     */
    long timestamp();

    /** {@return the value} */
    ByteBuffer value();

    /** {@return the time in milliseconds of the epoch, by the database's clock} */
    long nowMillis();
  }

  /**
   * Decides whether a cell is kept.
   *
   * @param candidate the cell; not valid after the call
   * @return the decision
   */
  Decision decide(Candidate candidate);
}
