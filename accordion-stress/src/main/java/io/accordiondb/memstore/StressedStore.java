// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.DeletedRanges;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A memory store of a few cells, numbered from 0, and its host, which knows what is visible. Cell n
 * has sequence number n + 1 and a value that consists of n alone. What a scan has seen is a set of
 * cells: bit n stands for cell n. Background work is done by the thread that causes it.
 */
final class StressedStore {
  /** What a scan returns that met a cell twice, out of order, or damaged. */
  static final int BROKEN = -1;

  /** What {@link #finish} returns when memory has not come back. */
  static final int LEAKED = -2;

  private static final int VALUE_BYTES = 40;
  private static final byte[] NO_BYTES = {};
  private static final byte[] QUALIFIER = {'q'};

  /** One pool for all stores, so that what one gives back is soon overwritten by another. */
  private static final ChunkPool POOL = new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30);

  private static final MemoryBudget BUDGET = new MemoryBudget(Long.MAX_VALUE);

  private final boolean sameColumn;
  private final MemStore memStore;
  private volatile long readPoint;

  private StressedStore(MemStorePolicy policy, boolean sameColumn, MemStoreListener listener) {
    this.sameColumn = sameColumn;
    this.memStore =
        new MemStore(
            new MemStoreOptions(policy, VersionRules.DEFAULT, 1 << 20, SegmentLayout.DEFAULT),
            new MemStoreEnvironment(
                Runnable::run,
                () -> 0,
                () -> Long.MAX_VALUE,
                new SplittableRandom(1),
                POOL,
                BUDGET,
                listener));
  }

  /** Creates a store whose cells have rows of their own, side by side. */
  static StressedStore ofRows(Policy policy, int pipelineSegmentsMax) {
    return ofRows(policy, pipelineSegmentsMax, MemStoreListener.NONE);
  }

  static StressedStore ofRows(Policy policy, int pipelineSegmentsMax, MemStoreListener listener) {
    return new StressedStore(parameters(policy, pipelineSegmentsMax), false, listener);
  }

  /** Creates a store whose cells are versions of one column and differ in sequence number alone. */
  static StressedStore ofVersions(Policy policy, int pipelineSegmentsMax) {
    return new StressedStore(parameters(policy, pipelineSegmentsMax), true, MemStoreListener.NONE);
  }

  private static MemStorePolicy parameters(Policy policy, int pipelineSegmentsMax) {
    return MemStorePolicy.of(policy).withPipelineSegmentsMax(pipelineSegmentsMax);
  }

  MemStore memStore() {
    return memStore;
  }

  /** Returns the sequence number up to which everything is added, if only one thread adds. */
  long readPoint() {
    return readPoint;
  }

  /** Adds one cell; then it is visible. */
  void add(int number) {
    memStore.add(cell(number), 0, 1, number + 1);
    readPoint = number + 1;
  }

  /** Deletes the rows from one to another. */
  void deleteRange(char start, char end, long sequence) {
    byte[] first = {(byte) start};
    memStore.deleteRange(new RangeTombstone(first, new byte[] {(byte) end}, sequence));
  }

  /** Returns the sum of the sequence numbers below which the cells of two rows are deleted. */
  long deletedBelow(char first, char second) {
    try (MemStoreView view = memStore.view()) {
      DeletedRanges ranges = view.deletedRanges();
      return ranges.deletedBelow(cell(first - 'a'), 0, Long.MAX_VALUE)
          + ranges.deletedBelow(cell(second - 'a'), 0, Long.MAX_VALUE);
    }
  }

  private ByteBuffer cell(int number) {
    byte[] row = {row(number)};
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) number);
    int length = KeyValueLayout.length(1, 0, 1, VALUE_BYTES);
    ByteBuffer cell = ByteBuffer.allocate(length);
    KeyValueLayout.write(cell, 0, row, NO_BYTES, QUALIFIER, 0, CellType.PUT.code(), value);
    return cell;
  }

  private byte row(int number) {
    return (byte) (sameColumn ? 'a' : 'a' + number);
  }

  /** Returns the cells up to a read point that a new view shows. */
  int scan(long upTo) {
    try (MemStoreView view = memStore.view()) {
      return scan(view, upTo);
    }
  }

  int scan(MemStoreView view, long upTo) {
    return scan(view.cursor(view.sources()), upTo);
  }

  int scan(FlushSnapshot snapshot) {
    return scan(snapshot.cursor(), Long.MAX_VALUE);
  }

  private int scan(CellCursor cursor, long upTo) {
    try (cursor) {
      int seen = 0;
      ByteBuffer last = null;
      long lastSequence = 0;
      for (boolean more = cursor.seekToFirst(); more; more = cursor.next()) {
        ByteBuffer cell = copyOf(cursor);
        long sequence = cursor.sequenceNumber();
        if (!isSound(cell, sequence)
            || last != null && !isOrdered(last, lastSequence, cell, sequence)) {
          return BROKEN;
        }
        last = cell;
        lastSequence = sequence;
        if (sequence <= upTo) {
          seen |= 1 << (sequence - 1);
        }
      }
      return seen;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ByteBuffer copyOf(CellCursor cursor) {
    byte[] bytes = new byte[cursor.length()];
    cursor.buffer().get(cursor.offset(), bytes);
    return ByteBuffer.wrap(bytes);
  }

  private boolean isSound(ByteBuffer cell, long sequence) {
    return sequence >= 1 && sequence <= Integer.SIZE && cell.equals(cell((int) sequence - 1));
  }

  /** Returns whether one cell may stand before another; a cell may not stand before itself. */
  private static boolean isOrdered(ByteBuffer a, long aSequence, ByteBuffer b, long bSequence) {
    int order = CellComparator.compareKeys(a, 0, b, 0);
    return order < 0 || order == 0 && aSequence > bSequence;
  }

  /** Returns all cells that are left, and closes the store, which must give everything back. */
  int finish() {
    int left = scan(Long.MAX_VALUE);
    memStore.close();
    return memStore.usedBytes() == 0 ? left : LEAKED;
  }
}
