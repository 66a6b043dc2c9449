// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.retention.CellFilter;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A segment that takes writes until it is sealed. Many threads may insert at once.
 *
 * <p>A writer calls {@link #enter}, inserts, and calls {@link #exit}. After sealing, no writer can
 * enter; once {@link #isQuiescent} is true, the segment never changes again and its counts are
 * exact.
 */
public non-sealed interface MutableSegment extends Segment {
  /** Registers a writer; returns false if the segment is sealed. */
  boolean enter();

  /** Unregisters a writer that has called {@link #enter}. */
  void exit();

  /**
   * Copies cells that follow each other in a buffer and inserts them; the first has sequence number
   * {@code firstSequence}. Stops early when the segment has no room left.
   *
   * @return the number of cells inserted, from the first on
   */
  int insert(ByteBuffer cells, int offset, int count, long firstSequence, BatchFormat format);

  /** Returns whether the segment should be sealed: it has reached its size, or has no room left. */
  boolean isFull();

  /** Returns whether the segment may be flushed in memory; the legacy structure may not. */
  default boolean entersPipeline() {
    return true;
  }

  /** Seals the segment: no further writer can enter. Idempotent. */
  void seal();

  /** Returns whether the segment is sealed and its last writer has left. */
  boolean isQuiescent();

  /** Waits for the writers inside the sealed segment, each of which stays for one batch at most. */
  default void awaitQuiescence() {
    boolean interrupted = false;
    for (int yields = 0; !isQuiescent(); yields++) {
      if (yields < 1_000) {
        Thread.yield();
      } else {
        // Virtual threads that only yield may keep all carriers from the writers.
        LockSupport.parkNanos(10_000);
        // An interrupted thread would not park.
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns an immutable segment of the same cells, or of those that a filter keeps; null when it
   * keeps none. This segment must be quiescent and hold a cell.
   *
   * @param keyPrefix the map of the new segment
   * @param sketched whether the new segment gets a sketch of its columns
   * @param filter what is kept; null for everything
   */
  @Nullable ImmutableSegment flatten(
      SegmentMemory target, KeyPrefix keyPrefix, boolean sketched, @Nullable CellFilter filter);
}
