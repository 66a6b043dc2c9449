// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.merge;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The encoding of sets that {@link MergeOperators#setUnion} unites: for each element, in the
 * ascending order of unsigned bytes, its length as a big-endian number of four bytes, and its
 * bytes. The empty set has no bytes.
 */
public final class ByteSets {
  private ByteSets() {}

  /**
   * Encodes a set; duplicates are encoded once.
   *
   * @param elements the elements, in any order
   * @return the encoded set
   */
  public static byte[] encode(Collection<byte[]> elements) {
    SortedSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    sorted.addAll(elements);
    int bytes = 0;
    for (byte[] element : sorted) {
      bytes = Math.addExact(bytes, Math.addExact(Integer.BYTES, element.length));
    }
    ByteBuffer encoded = ByteBuffer.allocate(bytes);
    for (byte[] element : sorted) {
      encoded.putInt(element.length).put(element);
    }
    return encoded.array();
  }

  /**
   * Encodes a set of one element.
   *
   * @param element the only element
   * @return the encoded set
   */
  public static byte[] of(byte[] element) {
    return encode(List.of(element));
  }

  /**
   * Decodes a set, which the caller may change.
   *
   * @param encoded the encoded bytes
   * @return the elements
   * @throws IllegalArgumentException if the bytes are not a set; the message says where
   */
  public static SortedSet<byte[]> decode(byte[] encoded) {
    SortedSet<byte[]> elements = new TreeSet<>(Arrays::compareUnsigned);
    ByteBuffer rest = ByteBuffer.wrap(encoded);
    while (rest.hasRemaining()) {
      int at = rest.position();
      try {
        int length = rest.getInt();
        if (length < 0 || length > rest.remaining()) {
          throw malformed(encoded, at);
        }
        byte[] element = new byte[length];
        rest.get(element);
        elements.add(element);
      } catch (BufferUnderflowException e) {
        throw malformed(encoded, at);
      }
    }
    return elements;
  }

  private static IllegalArgumentException malformed(byte[] encoded, int at) {
    return new IllegalArgumentException(
        "a set of " + encoded.length + " bytes has no whole element at offset " + at);
  }
}
