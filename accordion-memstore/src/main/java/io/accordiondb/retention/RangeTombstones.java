// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.CellComparator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A set of range tombstones. Immutable: a change copies the set, so a reader keeps the set that it
 * has taken. A look-up takes time proportional to the logarithm of the size.
 *
 * <p>The rows are cut into fragments where a tombstone begins or ends. Each fragment has the
 * sequence numbers of the tombstones that cover it. So tombstones that overlap, like those of a
 * queue whose head is deleted again and again, become few fragments.
 */
public final class RangeTombstones {
  /** The set without tombstones. */
  public static final RangeTombstones NONE = new RangeTombstones(new byte[0][], new long[0][]);

  /** Approximate bytes of a fragment on the heap, in addition to its bound and sequence numbers. */
  private static final int FRAGMENT_BYTES = 48;

  private static final long[] NO_SEQUENCES = {};
  private static final byte[] NO_END = {};

  /**
   * The first row of each fragment, ascending. A fragment ends where the next begins, the last one
   * has no end.
   */
  private final byte[][] starts;

  /** The sequence numbers of each fragment, highest first; those of a gap are none. */
  private final long[][] sequences;

  private final long minSequence;
  private final long maxSequence;
  private final long heapBytes;

  private RangeTombstones(byte[][] starts, long[][] sequences) {
    this.starts = starts;
    this.sequences = sequences;
    long min = Long.MAX_VALUE;
    long max = 0;
    long bytes = 0;
    for (int i = 0; i < starts.length; i++) {
      long[] covering = sequences[i];
      bytes += FRAGMENT_BYTES + starts[i].length + (long) covering.length * Long.BYTES;
      if (covering.length > 0) {
        max = Math.max(max, covering[0]);
        min = Math.min(min, covering[covering.length - 1]);
      }
    }
    this.minSequence = min;
    this.maxSequence = max;
    this.heapBytes = bytes;
  }

  /** Decides which sequence numbers the result has in a fragment, given those of two sets. */
  private interface Combination {
    long[] of(long[] first, long[] second);
  }

  /**
   * {@return a set with the given tombstones}
   *
   * @param tombstones the tombstones, in any order; they may overlap
   */
  public static RangeTombstones of(List<RangeTombstone> tombstones) {
    int size = tombstones.size();
    if (size == 0) {
      return NONE;
    }
    if (size == 1) {
      RangeTombstone only = tombstones.get(0);
      return single(only.start(), only.end(), only.sequence());
    }
    return of(tombstones.subList(0, size / 2)).plus(of(tombstones.subList(size / 2, size)));
  }

  /**
   * Adds a tombstone. Where it covers others, the result omits those that make no difference to
   * readers at or above the smallest read point.
   *
   * @param tombstone the tombstone to add
   * @param smallestReadPoint the lowest read point of all readers, as a sequence number
   * @return the new set
   */
  public RangeTombstones with(RangeTombstone tombstone, long smallestReadPoint) {
    RangeTombstones added = single(tombstone.start(), tombstone.end(), tombstone.sequence());
    if (added.isEmpty() || isEmpty()) {
      return isEmpty() ? added : this;
    }
    // Only the fragments from the one where it begins to the one where it ends can change.
    int from = Math.max(0, lowerBound(tombstone.start()) - 1);
    int to =
        tombstone.end().length == 0 ? size() : Math.min(size(), lowerBound(tombstone.end()) + 1);
    return combined(
        from, to, added, (own, other) -> seenFrom(smallestReadPoint, union(own, other)));
  }

  /** Returns the first fragment that begins at or after a row. */
  private int lowerBound(byte[] row) {
    int low = 0;
    int high = starts.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(starts[middle], row) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * {@return the union of this set and another}
   *
   * @param other the other set
   */
  public RangeTombstones plus(RangeTombstones other) {
    if (other.isEmpty()) {
      return this;
    }
    return isEmpty() ? other : combined(0, size(), other, RangeTombstones::union);
  }

  /**
   * {@return the parts of the tombstones of this set that another set does not have}
   *
   * @param other the other set
   */
  public RangeTombstones minus(RangeTombstones other) {
    return isEmpty() || other.isEmpty()
        ? this
        : combined(0, size(), other, RangeTombstones::difference);
  }

  /**
   * {@return the parts of the tombstones that are within a range of rows}
   *
   * @param start the first row; empty for the beginning
   * @param end the row before which the range ends; empty for no end
   */
  public RangeTombstones within(byte[] start, byte[] end) {
    return isEmpty()
        ? this
        : combined(
            0,
            size(),
            single(start, end, 1),
            (own, range) -> range.length > 0 ? own : NO_SEQUENCES);
  }

  /**
   * {@return the set without the tombstones that make no difference to readers at or above the
   * smallest read point, because a later tombstone that all of them see covers the same rows}
   *
   * @param smallestReadPoint the lowest read point of all readers, as a sequence number
   */
  public RangeTombstones seenFrom(long smallestReadPoint) {
    if (isEmpty() || smallestReadPoint <= minSequence) {
      return this;
    }
    return combined(0, size(), NONE, (own, none) -> seenFrom(smallestReadPoint, own));
  }

  private static long[] seenFrom(long smallestReadPoint, long[] sequences) {
    for (int i = 0; i < sequences.length - 1; i++) {
      if (sequences[i] <= smallestReadPoint) {
        return Arrays.copyOf(sequences, i + 1);
      }
    }
    return sequences;
  }

  private static RangeTombstones single(byte[] start, byte[] end, long sequence) {
    long[] covering = {sequence};
    if (end.length == 0) {
      return new RangeTombstones(new byte[][] {start}, new long[][] {covering});
    }
    return Arrays.compareUnsigned(start, end) < 0
        ? new RangeTombstones(new byte[][] {start, end}, new long[][] {covering, NO_SEQUENCES})
        : NONE;
  }

  /**
   * Cuts the rows at the bounds of both sets, and decides for each fragment.
   *
   * @param from the first fragment of this set that may change
   * @param to the fragment behind the last one that may change; all of the other set is before it
   */
  private RangeTombstones combined(
      int from, int to, RangeTombstones other, Combination combination) {
    List<byte[]> resultStarts = new ArrayList<>(starts.length + other.starts.length);
    List<long[]> resultSequences = new ArrayList<>(starts.length + other.starts.length);
    resultStarts.addAll(Arrays.asList(starts).subList(0, from));
    resultSequences.addAll(Arrays.asList(sequences).subList(0, from));
    int own = from;
    int others = 0;
    long[] last = sequencesBefore(own);
    while (own < to || others < other.starts.length) {
      int order =
          own == to
              ? 1
              : others == other.starts.length
                  ? -1
                  : Arrays.compareUnsigned(starts[own], other.starts[others]);
      byte[] start = order <= 0 ? starts[own] : other.starts[others];
      own += order <= 0 ? 1 : 0;
      others += order >= 0 ? 1 : 0;
      long[] covering = combination.of(sequencesBefore(own), other.sequencesBefore(others));
      if (!Arrays.equals(covering, last)) {
        resultStarts.add(start);
        resultSequences.add(covering);
        last = covering;
      }
    }
    resultStarts.addAll(Arrays.asList(starts).subList(to, starts.length));
    resultSequences.addAll(Arrays.asList(sequences).subList(to, starts.length));
    return resultStarts.isEmpty()
        ? NONE
        : new RangeTombstones(
            resultStarts.toArray(new byte[0][]), resultSequences.toArray(new long[0][]));
  }

  private long[] sequencesBefore(int fragment) {
    return fragment == 0 ? NO_SEQUENCES : sequences[fragment - 1];
  }

  private static long[] union(long[] first, long[] second) {
    if (second.length == 0) {
      return first;
    }
    long[] all = new long[first.length + second.length];
    int size = 0;
    int i = 0;
    int j = 0;
    while (i < first.length || j < second.length) {
      boolean takesFirst = j == second.length || (i < first.length && first[i] >= second[j]);
      long next = takesFirst ? first[i++] : second[j++];
      if (size == 0 || all[size - 1] != next) {
        all[size++] = next;
      }
    }
    return Arrays.copyOf(all, size);
  }

  private static long[] difference(long[] first, long[] second) {
    long[] left = new long[first.length];
    int size = 0;
    for (long sequence : first) {
      boolean gone = false;
      for (long other : second) {
        gone |= other == sequence;
      }
      if (!gone) {
        left[size++] = sequence;
      }
    }
    return Arrays.copyOf(left, size);
  }

  /** {@return whether there is no tombstone} */
  public boolean isEmpty() {
    return maxSequence == 0;
  }

  /** {@return the number of fragments} */
  public int size() {
    return starts.length;
  }

  /** {@return the lowest sequence number, or {@link Long#MAX_VALUE} if there is no tombstone} */
  public long minSequence() {
    return minSequence;
  }

  /** {@return the highest sequence number, or 0 if there is no tombstone} */
  public long maxSequence() {
    return maxSequence;
  }

  /** {@return the approximate size of the set on the heap in bytes} */
  public long heapBytes() {
    return heapBytes;
  }

  /**
   * {@return the tombstones, cut into fragments, in the order of their rows} Adjacent fragments
   * with the same sequence number are one tombstone.
   */
  public List<RangeTombstone> toList() {
    List<RangeTombstone> list = new ArrayList<>();
    for (int i = 0; i < starts.length; i++) {
      for (long sequence : sequences[i]) {
        if (i > 0 && contains(sequences[i - 1], sequence)) {
          continue;
        }
        int end = i + 1;
        while (end < starts.length && contains(sequences[end], sequence)) {
          end++;
        }
        list.add(new RangeTombstone(starts[i], endOf(end - 1), sequence));
      }
    }
    return list;
  }

  private static boolean contains(long[] sequences, long sequence) {
    for (long other : sequences) {
      if (other == sequence) {
        return true;
      }
    }
    return false;
  }

  /**
   * {@return whether a tombstone above a sequence number covers a row of a range}
   *
   * @param start the first row; empty for the beginning
   * @param end the row before which the range ends; empty for no end
   * @param aboveSequence tombstones up to this sequence number do not count
   */
  public boolean touches(byte[] start, byte[] end, long aboveSequence) {
    return maxSequence > aboveSequence && within(start, end).maxSequence > aboveSequence;
  }

  /**
   * Returns the fragment that has a cell's row; -1 if the row is before all of them.
   *
   * @param near the fragment to try first
   */
  int fragmentOf(ByteBuffer cell, int offset, int near) {
    int low = 0;
    int high = starts.length;
    if (near >= 0 && near < high) {
      if (CellComparator.compareRow(cell, offset, starts[near]) >= 0) {
        if (near + 1 == high || CellComparator.compareRow(cell, offset, starts[near + 1]) < 0) {
          return near;
        }
        low = near + 1;
      } else {
        high = near;
      }
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (CellComparator.compareRow(cell, offset, starts[middle]) >= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /** Returns the highest sequence number up to another one that a fragment has, 0 if none. */
  long newestUpTo(int fragment, long upTo) {
    if (fragment >= 0) {
      for (long sequence : sequences[fragment]) {
        if (sequence <= upTo) {
          return sequence;
        }
      }
    }
    return 0;
  }

  /** Returns the first row of a fragment. */
  byte[] startOf(int fragment) {
    return starts[fragment];
  }

  /** Returns the row before which a fragment ends; empty for no end. */
  byte[] endOf(int fragment) {
    return fragment + 1 < starts.length ? starts[fragment + 1] : NO_END;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RangeTombstones set
        && Arrays.deepEquals(starts, set.starts)
        && Arrays.deepEquals(sequences, set.sequences);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(starts);
  }

  @Override
  public String toString() {
    return "RangeTombstones" + toList();
  }
}
