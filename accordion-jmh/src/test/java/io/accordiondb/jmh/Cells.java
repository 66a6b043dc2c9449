// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.jmh;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The cells that the benchmarks use: rows of 24 bytes, values of 100, one column. Immutable but for
 * what is asked for at random.
 */
public final class Cells {
  public static final byte[] FAMILY = {};
  public static final byte[] QUALIFIER = {'q'};
  public static final int VALUE_BYTES = 100;
  private static final int ROW_BYTES = 24;
  private static final String ROW_FORMAT = "user%0" + (ROW_BYTES - 4) + "d";

  /** Bytes of each cell. */
  public static final int BYTES =
      KeyValueLayout.length(ROW_BYTES, FAMILY.length, QUALIFIER.length, VALUE_BYTES);

  private static final byte[] VALUE = new byte[VALUE_BYTES];

  static {
    new SplittableRandom(1).nextBytes(VALUE);
  }

  private final ByteBuffer bytes;
  private final int count;

  private Cells(int[] numbers) {
    count = numbers.length;
    bytes = ByteBuffer.allocate(count * BYTES);
    for (int i = 0; i < count; i++) {
      write(bytes, i * BYTES, row(numbers[i]), 1_000 + i);
    }
  }

  /** Returns the given number of cells in their order. Their rows begin at 0, a step apart. */
  public static Cells ascending(int count, int step) {
    int[] numbers = new int[count];
    Arrays.setAll(numbers, i -> i * step);
    return new Cells(numbers);
  }

  /** Returns cells of the rows from 0, in an order that is always the same one. */
  public static Cells shuffled(int count) {
    int[] numbers = new int[count];
    Arrays.setAll(numbers, i -> i);
    SplittableRandom random = new SplittableRandom(2);
    for (int i = count - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int number = numbers[i];
      numbers[i] = numbers[other];
      numbers[other] = number;
    }
    return new Cells(numbers);
  }

  /** Returns the name of a row. */
  public static byte[] row(int number) {
    return String.format(ROW_FORMAT, number).getBytes(US_ASCII);
  }

  /** Writes a put and returns its length. */
  public static int write(ByteBuffer target, int offset, byte[] row, long timestamp) {
    return KeyValueLayout.write(
        target, offset, row, FAMILY, QUALIFIER, timestamp, CellType.PUT.code(), VALUE);
  }

  /** Returns the key before all versions of the column of a row. */
  public static ByteBuffer key(int number) {
    ByteBuffer key = ByteBuffer.allocate(BYTES);
    write(key, 0, row(number), Long.MAX_VALUE);
    return key;
  }

  /** Returns the cells, one behind the other. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** Returns how many they are. */
  public int count() {
    return count;
  }
}
