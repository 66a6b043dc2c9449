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

/** What is wanted of each row that is read. Not thread-safe. */
public abstract sealed class Query<Q extends Query<Q>> permits Get, Scan {
  /** By family, the qualifiers wanted, ascending; an empty set for all of the family. */
  private final NavigableMap<byte[], NavigableSet<byte[]>> families =
      new TreeMap<>(Arrays::compareUnsigned);

  private long minTimestamp;
  private long maxTimestamp = Long.MAX_VALUE;
  private int versions = 1;
  private boolean cacheBlocks = true;
  private @Nullable Filter filter;
  private @Nullable Snapshot snapshot;

  Query() {}

  abstract Q self();

  /** Asks for all columns of a family; a query that names no family asks for all. */
  public final Q addFamily(byte[] family) {
    Objects.requireNonNull(family, "family");
    families.put(family, new TreeSet<>(Arrays::compareUnsigned));
    return self();
  }

  /** Asks for a column, beside others that are asked for. */
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

  /** Asks for versions from a timestamp, inclusive, to another, exclusive. */
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

  /** Asks for versions at a timestamp, from 0 to one below the highest long. */
  public final Q setTimestamp(long timestamp) {
    if (timestamp < 0 || timestamp == Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "timestamp is " + timestamp + ", expected 0 to " + (Long.MAX_VALUE - 1));
    }
    return setTimeRange(timestamp, timestamp + 1);
  }

  /** Asks for so many versions of a column, newest first, at least 1; 1 if not called. */
  public final Q setVersions(int versions) {
    if (versions < 1) {
      throw new IllegalArgumentException("versions is " + versions + ", expected 1 or more");
    }
    this.versions = versions;
    return self();
  }

  /** Asks for all versions that the family keeps. */
  public final Q setAllVersions() {
    return setVersions(Integer.MAX_VALUE);
  }

  /** Leaves out cells or rows that a filter does not keep. */
  public final Q setFilter(@Nullable Filter filter) {
    this.filter = filter;
    return self();
  }

  /** Reads as of a snapshot instead of now. */
  public final Q setSnapshot(@Nullable Snapshot snapshot) {
    this.snapshot = snapshot;
    return self();
  }

  /** Says whether blocks read from files are kept in the block cache; they are if not called. */
  public final Q setCacheBlocks(boolean cacheBlocks) {
    this.cacheBlocks = cacheBlocks;
    return self();
  }

  /** Returns the families asked for, in order; empty for all. */
  public final List<byte[]> families() {
    return Collections.unmodifiableList(new ArrayList<>(families.keySet()));
  }

  /** Returns the qualifiers asked for of a family, ascending; null for all of them. */
  public final byte @Nullable [][] qualifiers(byte[] family) {
    NavigableSet<byte[]> qualifiers = families.get(Objects.requireNonNull(family, "family"));
    return qualifiers == null || qualifiers.isEmpty() ? null : qualifiers.toArray(new byte[0][]);
  }

  /** Returns the lowest timestamp asked for. */
  public final long minTimestamp() {
    return minTimestamp;
  }

  /** Returns the timestamp up to which, exclusive, versions are asked for. */
  public final long maxTimestamp() {
    return maxTimestamp;
  }

  /** Returns how many versions of a column are asked for. */
  public final int versions() {
    return versions;
  }

  /** Returns whether blocks read are kept in the block cache. */
  public final boolean cacheBlocks() {
    return cacheBlocks;
  }

  /** Returns the filter, or null. */
  public final @Nullable Filter filter() {
    return filter;
  }

  /** Returns the snapshot, or null for now. */
  public final @Nullable Snapshot snapshot() {
    return snapshot;
  }
}
