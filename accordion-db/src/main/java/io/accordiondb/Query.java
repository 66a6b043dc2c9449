// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The common part of queries: which columns, versions and cells of a row are returned. Not
 * thread-safe.
 */
public abstract sealed class Query<Q extends Query<Q>> permits Get, Scan {
  /** The wanted qualifiers of each wanted family, ascending; an empty set for all qualifiers. */
  private final NavigableMap<byte[], NavigableSet<byte[]>> families =
      new TreeMap<>(Arrays::compareUnsigned);

  private long minTimestamp;
  private long maxTimestamp = Long.MAX_VALUE;
  private int versions = 1;
  private boolean cacheBlocks = true;
  private boolean allTags;
  private @Nullable Filter filter;
  private @Nullable Snapshot snapshot;

  Query() {}

  abstract Q self();

  /**
   * Selects all columns of a family. A query without families and columns selects all families.
   *
   * @param family the name of the family
   * @return this
   */
  public final Q addFamily(byte[] family) {
    Objects.requireNonNull(family, "family");
    families.put(family, new TreeSet<>(Arrays::compareUnsigned));
    return self();
  }

  /**
   * Selects a column, in addition to those selected before.
   *
   * @param family the name of the family
   * @param qualifier the qualifier; may be empty
   * @return this
   */
  public final Q addColumn(byte[] family, byte[] qualifier) {
    Objects.requireNonNull(family, "family");
    Objects.requireNonNull(qualifier, "qualifier");
    NavigableSet<byte[]> qualifiers = families.get(family);
    if (qualifiers == null) {
      qualifiers = new TreeSet<>(Arrays::compareUnsigned);
      families.put(family, qualifiers);
      qualifiers.add(qualifier);
    } else if (!qualifiers.isEmpty()) {
      qualifiers.add(qualifier);
    }
    return self();
  }

  /**
   * Selects versions from a timestamp, inclusive, to another, exclusive.
   *
   * @param minTimestamp the lowest timestamp, inclusive
   * @param maxTimestamp the highest timestamp, exclusive
   * @return this
   */
  public final Q setTimeRange(long minTimestamp, long maxTimestamp) {
    checkTimeRange(minTimestamp, maxTimestamp);
    this.minTimestamp = minTimestamp;
    this.maxTimestamp = maxTimestamp;
    return self();
  }

  static void checkTimeRange(long minTimestamp, long maxTimestamp) {
    if (minTimestamp < 0 || maxTimestamp < minTimestamp) {
      throw new IllegalArgumentException(
          "time range is "
              + minTimestamp
              + " to "
              + maxTimestamp
              + ", expected 0 or more and ascending");
    }
  }

  /**
   * Selects versions at a timestamp, from 0 to {@code Long.MAX_VALUE - 1}.
   *
   * @param timestamp the timestamp of the wanted versions
   * @return this
   */
  public final Q setTimestamp(long timestamp) {
    if (timestamp < 0 || timestamp == Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "timestamp is " + timestamp + ", expected 0 to " + (Long.MAX_VALUE - 1));
    }
    return setTimeRange(timestamp, timestamp + 1);
  }

  /**
   * Sets how many versions of a column are returned, newest first; at least 1, and 1 by default.
   *
   * @param versions the number of versions, at least 1
   * @return this
   */
  public final Q setVersions(int versions) {
    if (versions < 1) {
      throw new IllegalArgumentException("versions is " + versions + ", expected 1 or more");
    }
    this.versions = versions;
    return self();
  }

  /**
   * Selects all versions that the family keeps.
   *
   * @return this
   */
  public final Q setAllVersions() {
    return setVersions(Integer.MAX_VALUE);
  }

  /**
   * Sets a filter; null for none. Cells and rows that it does not keep are not returned.
   *
   * @param filter the filter; null for none
   * @return this
   */
  public final Q setFilter(@Nullable Filter filter) {
    this.filter = filter;
    return self();
  }

  /**
   * Sets the snapshot to read; null to read as of now.
   *
   * @param snapshot an open snapshot of the same database; null for the present
   * @return this
   */
  public final Q setSnapshot(@Nullable Snapshot snapshot) {
    this.snapshot = snapshot;
    return self();
  }

  /**
   * Sets whether blocks that are read from files are kept in the block cache; true by default.
   *
   * @param cacheBlocks whether blocks are kept
   * @return this
   */
  public final Q setCacheBlocks(boolean cacheBlocks) {
    this.cacheBlocks = cacheBlocks;
    return self();
  }

  /**
   * Sets whether cells are returned with all of their tags, which costs more; false by default:
   * cells then have only their time to live.
   *
   * @param allTags whether cells have all of their tags
   * @return this
   */
  public final Q setAllTags(boolean allTags) {
    this.allTags = allTags;
    return self();
  }

  /** {@return the selected families, in order; empty for all} */
  public final List<byte[]> families() {
    return Collections.unmodifiableList(new ArrayList<>(families.keySet()));
  }

  /**
   * {@return the selected qualifiers of a family, in ascending order; null for all of them}
   *
   * @param family the name of the family
   */
  public final byte @Nullable [][] qualifiers(byte[] family) {
    NavigableSet<byte[]> qualifiers = families.get(Objects.requireNonNull(family, "family"));
    return qualifiers == null || qualifiers.isEmpty() ? null : qualifiers.toArray(new byte[0][]);
  }

  /** {@return the lowest timestamp, inclusive} */
  public final long minTimestamp() {
    return minTimestamp;
  }

  /** {@return the highest timestamp, exclusive} */
  public final long maxTimestamp() {
    return maxTimestamp;
  }

  /** {@return how many versions of a column are returned at most} */
  public final int versions() {
    return versions;
  }

  /** {@return whether blocks that are read are kept in the block cache} */
  public final boolean cacheBlocks() {
    return cacheBlocks;
  }

  /** {@return whether cells are returned with all of their tags} */
  public final boolean allTags() {
    return allTags;
  }

  /** {@return the filter, or null} */
  public final @Nullable Filter filter() {
    return filter;
  }

  /** {@return the snapshot, or null for now} */
  public final @Nullable Snapshot snapshot() {
    return snapshot;
  }
}
