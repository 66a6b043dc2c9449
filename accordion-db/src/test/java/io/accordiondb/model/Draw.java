// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static io.accordiondb.fixtures.TestData.bytes;

import io.accordiondb.Bound;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The choices of one operation: rows, columns, values and timestamps, mostly from so few that
 * operations meet, sometimes of the shortest or longest length that is allowed.
 */
final class Draw {
  private static final int ROWS = 40;

  /** Two operations of three are on this many rows. */
  private static final int ROWS_OFTEN = 5;

  /** Rows between two others: more than a reader passes before it notes that they are dead. */
  private static final int NEIGHBOURS = 70;

  private static final int ROW_BYTES_MAX = 32_767;
  private static final int QUALIFIER_BYTES_MAX = 32_767;

  /** The longest row, the one before it by length, of which it is the next, and the shortest. */
  private static final List<byte[]> EXTREME_ROWS =
      List.of(
          new byte[] {0},
          new byte[] {(byte) 0xFF},
          longRow(ROW_BYTES_MAX - 1),
          longRow(ROW_BYTES_MAX),
          filled("r31", ROW_BYTES_MAX, (byte) 0xFF));

  private static final int[] EXTREME_VALUE_BYTES = {0, 1, 511, 512, 4_096, 16_384, 40_000};

  private final RandomGenerator random;
  private final long now;

  Draw(Operation operation, long now) {
    this.random = new SplittableRandom(operation.number());
    this.now = now;
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
    return oneIn(2) ? Bound.INCLUSIVE : Bound.EXCLUSIVE;
  }

  RandomGenerator random() {
    return random;
  }

  <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** Returns all rows that {@link #row} draws. */
  static List<byte[]> rows() {
    List<byte[]> rows = new ArrayList<>(EXTREME_ROWS);
    for (int number = 0; number < ROWS; number++) {
      rows.add(row(number));
    }
    rows.addAll(neighbours());
    return rows;
  }

  /** Returns the rows of which many are deleted at once. */
  static List<byte[]> neighbours() {
    return IntStream.range(0, NEIGHBOURS).mapToObj(Draw::neighbour).toList();
  }

  private static byte[] neighbour(int number) {
    return bytes(String.format("r22/%02d", number));
  }

  private static byte[] row(int number) {
    return bytes(String.format("r%02d", number));
  }

  byte[] row() {
    if (oneIn(150)) {
      return pick(EXTREME_ROWS);
    }
    if (oneIn(60)) {
      return neighbour(number(NEIGHBOURS));
    }
    return row(oneIn(3) ? number(ROWS) : ROWS / 2 + number(ROWS_OFTEN));
  }

  byte[] qualifier() {
    if (oneIn(300)) {
      return filled("q", oneIn(2) ? QUALIFIER_BYTES_MAX : 128, (byte) 1);
    }
    return shortQualifier();
  }

  /** Returns a qualifier of which a batch has room for many. */
  byte[] shortQualifier() {
    return bytes(pick(List.of("", "q", "qq")));
  }

  byte[] value() {
    int bytes = oneIn(100) ? EXTREME_VALUE_BYTES[number(EXTREME_VALUE_BYTES.length)] : number(300);
    byte[] value = new byte[bytes];
    Arrays.fill(value, (byte) number(256));
    return value;
  }

  /** Returns a timestamp near the present, at most a little above. */
  long near() {
    return now - 300 + number(350);
  }

  /** Returns any timestamp that a cell may have. */
  long anyTimestamp() {
    return switch (number(8)) {
      case 0 -> number(3);
      case 1 -> random.nextLong(now);
      case 2 -> now + number(2_000);
      case 3 -> oneIn(20) ? Long.MAX_VALUE - 1 : near();
      default -> near();
    };
  }

  private static byte[] longRow(int length) {
    return filled("r15", length, (byte) 0);
  }

  private static byte[] filled(String start, int length, byte filling) {
    byte[] bytes = Arrays.copyOf(bytes(start), length);
    Arrays.fill(bytes, start.length(), length, filling);
    return bytes;
  }
}
