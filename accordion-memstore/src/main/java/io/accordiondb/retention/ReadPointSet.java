// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import java.util.Arrays;

/**
 * The sequence numbers up to which the readers of a store read, at one moment: those that are held,
 * and all from the newest on, because a later reader gets one of these. Immutable.
 */
public final class ReadPointSet {
  /** In ascending order; the last one is the newest. */
  private final long[] points;

  private ReadPointSet(long[] points) {
    this.points = points;
  }

  /**
   * {@return the points of a host that only knows the lowest one: readers may read at each number
   * from it on}
   *
   * @param smallest the lowest read point of all readers
   */
  public static ReadPointSet from(long smallest) {
    return new ReadPointSet(new long[] {smallest});
  }

  /**
   * {@return the points of readers}
   *
   * @param held read points in any order
   * @param newest the lowest read point that a later reader may get; held ones above it need not be
   *     among the others
   */
  public static ReadPointSet of(long[] held, long newest) {
    long[] points = Arrays.copyOf(held, held.length + 1);
    points[held.length] = newest;
    Arrays.sort(points);
    int end = Arrays.binarySearch(points, newest) + 1;
    return new ReadPointSet(Arrays.copyOf(points, end));
  }

  /** {@return the lowest read point of all readers} */
  public long smallest() {
    return points[0];
  }

  /** {@return the number from which on there may be a reader at each} */
  public long newest() {
    return points[points.length - 1];
  }

  /**
   * {@return whether a reader may see a cell and not a later one}
   *
   * @param earlier the sequence number of the cell
   * @param later the sequence number of the later one
   */
  public boolean isAnyBetween(long earlier, long later) {
    if (later > newest()) {
      return true;
    }
    int at = Arrays.binarySearch(points, earlier);
    return points[at >= 0 ? at : -at - 1] < later;
  }

  @Override
  public String toString() {
    return Arrays.toString(points) + " and above";
  }
}
