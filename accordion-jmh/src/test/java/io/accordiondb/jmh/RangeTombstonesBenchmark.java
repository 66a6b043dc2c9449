// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.jmh;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.retention.DeletedRanges;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.RangeTombstones;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What range deletes in memory cost, by their number: nanoseconds for one operation. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RangeTombstonesBenchmark {
  private static final byte[] NO_BYTES = {};
  private static final int LOOKUPS = 1 << 14;

  /** How the ranges lie to each other. */
  public enum Shape {
    /** Each covers half of ten rows of its own. */
    DISJOINT,
    /** Each covers up to a thousand rows anywhere, and a reader of old data keeps all of them. */
    OVERLAPPING
  }

  @Param({"1000", "10000", "50000"})
  int tombstones;

  @Param Shape shape;

  private final RangeTombstone[] next = new RangeTombstone[LOOKUPS];
  private final ByteBuffer[] rows = new ByteBuffer[LOOKUPS];
  private final ByteBuffer[] rowsInOrder = new ByteBuffer[LOOKUPS];
  private RangeTombstones set = RangeTombstones.NONE;
  private DeletedRanges ranges = DeletedRanges.NONE;
  private DeletedRanges.Walk walk = ranges.walk(0);
  private int number;

  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(7);
    List<RangeTombstone> all = new ArrayList<>();
    for (int i = 0; i < tombstones; i++) {
      all.add(tombstone(i, i + 1, random));
    }
    set = RangeTombstones.of(all);
    ranges = DeletedRanges.NONE.and(set);
    walk = ranges.walk(Long.MAX_VALUE);
    for (int i = 0; i < LOOKUPS; i++) {
      next[i] = tombstone(random.nextInt(tombstones), tombstones + 1L, random);
      rows[i] = key(random.nextInt(10 * tombstones));
      rowsInOrder[i] = key((int) (10L * tombstones * i / LOOKUPS));
    }
  }

  private RangeTombstone tombstone(int place, long sequence, SplittableRandom random) {
    int first = shape == Shape.DISJOINT ? 10 * place : random.nextInt(10 * tombstones);
    int length = shape == Shape.DISJOINT ? 5 : random.nextInt(1, 1_000);
    return new RangeTombstone(row(first), row(first + length), sequence);
  }

  private static byte[] row(int number) {
    return String.format("row%013d", number).getBytes(US_ASCII);
  }

  private static ByteBuffer key(int number) {
    byte[] row = row(number);
    ByteBuffer key = ByteBuffer.allocate(KeyValueLayout.length(row.length, 0, 0, 0));
    KeyValueLayout.write(key, 0, row, NO_BYTES, NO_BYTES, 1, CellType.PUT.code(), NO_BYTES);
    return key;
  }

  private int next() {
    number = (number + 1) & (LOOKUPS - 1);
    return number;
  }

  @Benchmark
  public RangeTombstones delete() {
    return set.with(next[next()], 0);
  }

  @Benchmark
  public long get() {
    return ranges.deletedBelow(rows[next()], 0, Long.MAX_VALUE);
  }

  /** Looks up rows in order, as a scan does. */
  @Benchmark
  public long scan() {
    return walk.deletedBelow(rowsInOrder[next()], 0);
  }
}
