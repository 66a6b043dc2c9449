// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import java.util.Arrays;

/** A stack of chunk numbers. Not thread-safe. */
final class ChunkNumbers {
  private int[] numbers = new int[16];
  private int count;

  int count() {
    return count;
  }

  /** Makes room for a number of chunks. */
  void reserve(int capacity) {
    if (capacity > numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * capacity);
    }
  }

  void push(int number) {
    numbers[count++] = number;
  }

  int pop() {
    return numbers[--count];
  }
}
