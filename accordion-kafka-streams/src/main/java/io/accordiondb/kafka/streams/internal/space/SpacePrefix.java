// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

/**
 * The bytes with which all keys of a space begin: its number, in one to four bytes. No prefix
 * begins with another one, and they are in the order of the numbers.
 */
final class SpacePrefix {
  /** Numbers end here. */
  static final int NUMBERS_MAX = 0x10204080;

  private static final int TWO_BYTES = 0x80;
  private static final int THREE_BYTES = TWO_BYTES + 0x4000;
  private static final int FOUR_BYTES = THREE_BYTES + 0x200000;

  private SpacePrefix() {}

  static byte[] of(int number) {
    if (number < 0 || number >= NUMBERS_MAX) {
      throw new IllegalArgumentException(
          "number of a key space is " + number + ", expected 0 to " + (NUMBERS_MAX - 1));
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
    int rest = number - FOUR_BYTES;
    return new byte[] {
      (byte) (0xe0 | rest >> 24), (byte) (rest >> 16), (byte) (rest >> 8), (byte) rest
    };
  }
}
