// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;

import io.accordiondb.Bound;
import io.accordiondb.CellLimits;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * The choices of a sequence of operations, which follow from its seed: rows, columns, values and
 * times. Most are from a small set, so that operations meet; some have the shortest or longest
 * length that is allowed.
 */
final class MetamorphicDraw {
  static final int ROWS = 40;

  /** One row in this many is a longest one. */
  private static final int LONGEST_ROW_RARITY = 150;

  /** What is left of a shortened row. */
  private static final int BOUND_BYTES = 1_000;

  private static final int LONGEST_QUALIFIER_RARITY = 300;
  private static final int EMPTY_VALUE_RARITY = 50;
  private static final long CLOCK_START = 1_000_000;

  /** Two rows that differ in the last byte alone, and the last row that there can be. */
  private static final List<byte[]> LONGEST_ROWS =
      List.of(longest("r15", 'x', 0x00), longest("r15", 'x', 0xFF), longest("", 0xFF, 0xFF));

  private static final List<String> QUALIFIERS = List.of("", "a", "ab", "b");
  private static final byte[] LONGEST_QUALIFIER = filled("a", CellLimits.QUALIFIER_BYTES_MAX, 'x');

  private final RandomGenerator random;

  /** Read by the threads of the database, too. */
  private final AtomicLong clock = new AtomicLong(CLOCK_START);

  private List<String> families = MetamorphicTable.FAMILIES;

  MetamorphicDraw(RandomGenerator random) {
    this.random = random;
  }

  private static byte[] longest(String start, int filling, int last) {
    byte[] row = filled(start, CellLimits.ROW_BYTES_MAX, filling);
    row[row.length - 1] = (byte) last;
    return row;
  }

  private static byte[] filled(String start, int length, int filling) {
    byte[] bytes = Arrays.copyOf(bytes(start), length);
    Arrays.fill(bytes, start.length(), length, (byte) filling);
    return bytes;
  }

  /** Returns a number from 0 to below a bound. */
  int number(int bound) {
    return random.nextInt(bound);
  }

  /** Returns true once in the given number of calls, on average. */
  boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  Bound bound() {
    return coin() ? Bound.INCLUSIVE : Bound.EXCLUSIVE;
  }

  boolean coin() {
    return random.nextBoolean();
  }

  <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  byte[] row() {
    return row(random);
  }

  /** Returns a row that somebody else chooses. */
  static byte[] row(RandomGenerator choice) {
    return choice.nextInt(LONGEST_ROW_RARITY) == 0
        ? LONGEST_ROWS.get(choice.nextInt(LONGEST_ROWS.size()))
        : bytes(String.format("r%02d", choice.nextInt(ROWS)));
  }

  /**
   * Returns a row, or its beginning if it is one of the longest. A range delete holds two bounds
   * for each family of each region, and must fit into the smallest memory.
   */
  static byte[] shortened(byte[] row) {
    return row.length <= BOUND_BYTES ? row : Arrays.copyOf(row, BOUND_BYTES);
  }

  /** Returns what ten rows begin with. */
  byte[] rowPrefix() {
    return bytes("r" + number(4));
  }

  /** Names the families that the table has from now on. */
  void setFamilies(List<String> names) {
    families = names;
  }

  /** Returns one of the families that the table has. */
  byte[] family() {
    return bytes(pick(families));
  }

  byte[] qualifier() {
    return oneIn(LONGEST_QUALIFIER_RARITY) ? LONGEST_QUALIFIER : bytes(pick(QUALIFIERS));
  }

  byte[] value() {
    byte[] value = new byte[oneIn(EMPTY_VALUE_RARITY) ? 0 : 1 + number(120)];
    Arrays.fill(value, (byte) random.nextInt());
    return value;
  }

  /** Lets some time pass. */
  void pass() {
    clock.addAndGet(number(20));
  }

  long now() {
    return clock.get();
  }

  /** Returns a timestamp of the recent past. */
  long time() {
    return now() - number(400);
  }
}
