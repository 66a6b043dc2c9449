// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.nio.ByteBuffer;

/**
 * Says which cells of a family are no longer wanted, by what they are: an expiry by any rule. A
 * family names its filter ({@link FamilyDescriptor.Builder#compactionFilter}), and {@link
 * DatabaseOptions.Builder#compactionFilter} says what the name means.
 *
 * <p>What a filter drops hides, as a delete of its column does, all versions that were written
 * before it with a lower timestamp, so no older value comes back. It goes when a flush, or a
 * compaction in memory or of files, finds that there is nothing older left to hide. Until then
 * readers see it, unless the family applies the filter to reads ({@link
 * FamilyDescriptor.Builder#filtersReads}): then what is read does not depend on what was compacted.
 *
 * <p>A filter is asked on many threads at once, often, and about the same cell again and again,
 * also about cells that no reader sees any more. It is not asked about delete markers, nor about
 * what is newer than the oldest open snapshot. Once it has said that a cell is dropped, it must
 * always say so. If it throws, the cell is kept, and a read that depends on it fails with {@link
 * CompactionFilterException}.
 */
@FunctionalInterface
public interface CompactionFilter {
  /** What is to become of a cell. */
  enum Decision {
    /** It stays. */
    KEEP,
    /** It has expired. */
    DROP
  }

  /** A cell to be decided on. Its buffers are read-only, and valid during the call. */
  interface Candidate {
    /** Returns the name of the table. */
    String table();

    /** Returns the name of the family. */
    String family();

    /** Returns the row. */
    ByteBuffer row();

    /** Returns the qualifier. */
    ByteBuffer qualifier();

    /** Returns the timestamp, usually in milliseconds of the epoch. */
    long timestamp();

    /** Returns the value. */
    ByteBuffer value();

    /** Returns the time in milliseconds of the epoch, by the database's clock. */
    long nowMillis();
  }

  /** Decides what becomes of a cell. */
  Decision decide(Candidate candidate);
}
