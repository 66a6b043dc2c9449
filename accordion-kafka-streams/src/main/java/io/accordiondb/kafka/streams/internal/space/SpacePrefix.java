// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

/**
 * The bytes with which all keys of a space begin: its number, in one to five bytes. No prefix
 * begins with another one, and they are in the order of the numbers.
 */
final class SpacePrefix {
  private static final int TWO_BYTES = 0x80;
  private static final int THREE_BYTES = TWO_BYTES + 0x4000;
  private static final int FOUR_BYTES = THREE_BYTES + 0x200000;
  private static final int FIVE_BYTES = FOUR_BYTES + 0x10000000;

  private SpacePrefix() {}

  static byte[] of(int number) {
    if (number < 0) {
      throw new IllegalArgumentException(
          "number of a key space is " + number + ", expected 0 to " + Integer.MAX_VALUE);
    }
    if (number < TWO_BYTES) {
      return new byte[] {(byte) number};
    }
    if (number < THREE_BYTES) {
      int rest = number - TWO_BYTES;
      return new byte[] {(byte) (0x80 | rest >> 8), (byte) rest};
    }
    if (number < FOUR_BYTES) {
      int rest = number - THREE_BYTES;
      return new byte[] {(byte) (0xc0 | rest >> 16), (byte) (rest >> 8), (byte) rest};
    }
    if (number < FIVE_BYTES) {
      int rest = number - FOUR_BYTES;
      return new byte[] {
        (byte) (0xe0 | rest >> 24), (byte) (rest >> 16), (byte) (rest >> 8), (byte) rest
      };
    }
    int rest = number - FIVE_BYTES;
    return new byte[] {
      (byte) 0xf0, (byte) (rest >> 24), (byte) (rest >> 16), (byte) (rest >> 8), (byte) rest
    };
  }
}
