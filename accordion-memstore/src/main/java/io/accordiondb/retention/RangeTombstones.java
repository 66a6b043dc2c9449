// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A set of range tombstones. Immutable: a change makes a new set, which shares most of its {@link
 * RangeTree} with the old one, so a reader keeps the set that it has taken. To add a tombstone or
 * to look up a row takes time proportional to the logarithm of the size.
 *
 * <p>Tombstones may overlap. Those that make no difference to any reader, because a later one that
 * all readers see covers the same rows, are removed when the set has doubled. So the set is at most
 * twice as large as it must be, and few tombstones remain of a queue whose head is deleted again
 * and again.
 */
public final class RangeTombstones {
  /** The size up to which nothing is removed. */
  private static final int TIDY_MIN = 4;

  /** The set without tombstones. */
  public static final RangeTombstones NONE = new RangeTombstones(null, TIDY_MIN);

  private static final byte[] NO_BOUND = {};

  private final @Nullable RangeTree root;

  /** The size at which superfluous tombstones are removed. */
  private final int tidyAt;

  private RangeTombstones(@Nullable RangeTree root, int tidyAt) {
    this.root = root;
    this.tidyAt = tidyAt;
  }

  /**
   * {@return a set with the given tombstones}
   *
   * @param tombstones the tombstones, in any order; they may overlap
   */
  public static RangeTombstones of(List<RangeTombstone> tombstones) {
    List<RangeTombstone> sorted = new ArrayList<>(tombstones);
    sorted.removeIf(RangeTombstone::isEmpty);
    sorted.sort(RangeTree::order);
    List<RangeTombstone> distinct = new ArrayList<>(sorted.size());
    for (RangeTombstone next : sorted) {
      int last = distinct.size() - 1;
      if (last < 0 || RangeTree.order(distinct.get(last), next) != 0) {
        distinct.add(next);
      } else if (RangeTombstone.laterEnd(distinct.get(last).end(), next.end()) == next.end()) {
        distinct.set(last, next);
      }
    }
    return ofSorted(distinct);
  }

  private static RangeTombstones ofSorted(List<RangeTombstone> sorted) {
    return sorted.isEmpty()
        ? NONE
        : new RangeTombstones(RangeTree.of(sorted), Math.max(TIDY_MIN, 2 * sorted.size()));
  }

  /**
   * Adds a tombstone. The result may omit tombstones that make no difference to readers at or above
   * the smallest read point.
   *
   * @param tombstone the tombstone to add
   * @param smallestReadPoint the lowest read point of all readers, as a sequence number
   * @return the new set
   */
  public RangeTombstones with(RangeTombstone tombstone, long smallestReadPoint) {
    if (tombstone.isEmpty()) {
      return this;
    }
    RangeTombstones next = new RangeTombstones(RangeTree.with(root, tombstone), tidyAt);
    if (next.size() < tidyAt) {
      return next;
    }
    RangeTombstones seen = next.seenFrom(smallestReadPoint);
    return new RangeTombstones(seen.root, Math.max(TIDY_MIN, 2 * seen.size()));
  }

  /**
   * {@return the union of this set and another}
   *
   * @param other the other set
   */
  public RangeTombstones plus(RangeTombstones other) {
    if (isEmpty() || other.isEmpty()) {
      return isEmpty() ? other : this;
    }
    List<RangeTombstone> all = toList();
    all.addAll(other.toList());
    return of(all);
  }

  /**
   * {@return the parts of the tombstones of this set that another set does not have}
   *
   * @param other the other set
   */
  public RangeTombstones minus(RangeTombstones other) {
    if (isEmpty() || other.isEmpty()) {
      return this;
    }
    Map<Long, List<RangeTombstone>> others =
        other.toList().stream().collect(groupingBy(RangeTombstone::sequence));
    List<RangeTombstone> left = new ArrayList<>();
    for (RangeTombstone own : toList()) {
      List<RangeTombstone> parts = List.of(own);
      for (RangeTombstone cut : others.getOrDefault(own.sequence(), List.of())) {
        List<RangeTombstone> smaller = new ArrayList<>();
        for (RangeTombstone part : parts) {
          if (cut.start().length > 0) {
            part.addPart(NO_BOUND, cut.start(), smaller);
          }
          if (cut.end().length > 0) {
            part.addPart(cut.end(), NO_BOUND, smaller);
          }
        }
        parts = smaller;
      }
      left.addAll(parts);
    }
    return of(left);
  }

  /**
   * {@return the parts of the tombstones that are within a range of rows}
   *
   * @param start the first row; empty for the beginning
   * @param end the row before which the range ends; empty for no end
   */
  public RangeTombstones within(byte[] start, byte[] end) {
    List<RangeTombstone> parts = new ArrayList<>();
    toList().forEach(tombstone -> tombstone.addPart(start, end, parts));
    return of(parts);
  }

  /**
   * {@return the set without the tombstones that make no difference to readers at or above the
   * smallest read point, because later tombstones that all of them see cover the same rows}
   *
   * @param smallestReadPoint the lowest read point of all readers, as a sequence number
   */
  public RangeTombstones seenFrom(long smallestReadPoint) {
    if (smallestReadPoint <= minSequence()) {
      return this;
    }
    List<RangeTombstone> all = toList();
    return overlap(all) ? ofSorted(visibleFrom(smallestReadPoint, all)) : this;
  }

  /** Returns whether any tombstones of a list that is in order overlap. */
  private static boolean overlap(List<RangeTombstone> sorted) {
    for (int i = 1; i < sorted.size(); i++) {
      if (RangeTombstone.isBehind(sorted.get(i - 1).end(), sorted.get(i).start())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the tombstones that a reader at or above a read point may see, in order. Of those that
   * all such readers see, only the newest counts in each row, so a sweep over the rows keeps those
   * that are the newest somewhere.
   */
  private static List<RangeTombstone> visibleFrom(
      long smallestReadPoint, List<RangeTombstone> all) {
    Set<RangeTombstone> newest = new HashSet<>();
    PriorityQueue<RangeTombstone> open =
        new PriorityQueue<>(Comparator.comparingLong(RangeTombstone::sequence).reversed());
    byte[] swept = NO_BOUND;
    for (RangeTombstone next : all) {
      if (next.sequence() <= smallestReadPoint) {
        if (next.start().length > 0) { // An empty end would be that of the store.
          sweep(open, swept, next.start(), newest);
          swept = next.start();
        }
        open.add(next);
      }
    }
    sweep(open, swept, NO_BOUND, newest);
    return all.stream()
        .filter(one -> one.sequence() > smallestReadPoint || newest.contains(one))
        .toList();
  }

  /**
   * Adds to a set the tombstones that are the newest in any row from one to another.
   *
   * @param open the tombstones that begin at or before the first row, the newest first
   * @param to the row before which the sweep ends; empty for no end
   */
  private static void sweep(
      PriorityQueue<RangeTombstone> open, byte[] from, byte[] to, Set<RangeTombstone> newest) {
    byte[] swept = from;
    while (!open.isEmpty() && RangeTombstone.isBehind(to, swept)) {
      RangeTombstone top = open.element();
      if (RangeTombstone.isBehind(top.end(), swept)) {
        newest.add(top);
        if (RangeTombstone.laterEnd(to, top.end()) == top.end()) {
          return;
        }
        swept = top.end();
      }
      open.remove();
    }
  }

  /** {@return whether there is no tombstone} */
  public boolean isEmpty() {
    return root == null;
  }

  /** {@return the number of tombstones} */
  public int size() {
    return root == null ? 0 : root.size;
  }

  /** {@return the lowest sequence number, or {@link Long#MAX_VALUE} if there is no tombstone} */
  public long minSequence() {
    return root == null ? Long.MAX_VALUE : root.minSequence;
  }

  /** {@return the highest sequence number, or 0 if there is no tombstone} */
  public long maxSequence() {
    return root == null ? 0 : root.maxSequence;
  }

  /** {@return the approximate size of the set on the heap in bytes} */
  public long heapBytes() {
    return root == null ? 0 : root.heapBytes;
  }

  /** {@return the tombstones in the order of their first rows, and the newest first in each row} */
  public List<RangeTombstone> toList() {
    List<RangeTombstone> list = new ArrayList<>(size());
    RangeTree.addTo(list, root);
    return list;
  }

  /**
   * {@return whether a tombstone above a sequence number covers a row of a range}
   *
   * @param start the first row; empty for the beginning
   * @param end the row before which the range ends; empty for no end
   * @param aboveSequence tombstones up to this sequence number do not count
   */
  public boolean touches(byte[] start, byte[] end, long aboveSequence) {
    return RangeTombstone.isBehind(end, start)
        && RangeTree.touches(root, start, end, aboveSequence);
  }

  /**
   * {@return whether tombstones together cover all rows from one to another}
   *
   * @param first the first row, inclusive
   * @param last the last row, inclusive
   * @param aboveSequence tombstones up to this sequence number do not count
   * @param upTo tombstones above this sequence number do not count
   */
  public boolean cover(byte[] first, byte[] last, long aboveSequence, long upTo) {
    return RangeTree.covers(root, first, last, aboveSequence, upTo);
  }

  /** Returns the tree of the tombstones; null if there are none. */
  @Nullable RangeTree root() {
    return root;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof RangeTombstones set) || set.size() != size()) {
      return false;
    }
    List<RangeTombstone> own = toList();
    List<RangeTombstone> others = set.toList();
    for (int i = 0; i < own.size(); i++) {
      if (!own.get(i).isSameAs(others.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    return toList().stream()
        .mapToInt(one -> 31 * Arrays.hashCode(one.start()) + Long.hashCode(one.sequence()))
        .sum();
  }

  @Override
  public String toString() {
    return "RangeTombstones" + toList();
  }
}
