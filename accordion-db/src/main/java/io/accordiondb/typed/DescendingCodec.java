// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

/**
 * The values of another codec in the opposite order: the complement of their bytes. If encodings
 * differ in length, the bytes are first escaped and terminated, so that a prefix comes after the
 * keys that begin with it.
 */
final class DescendingCodec<T> implements KeyCodec<T> {
  private final KeyCodec<T> codec;

  DescendingCodec(KeyCodec<T> codec) {
    this.codec = codec;
  }

  @Override
  public byte[] encode(T value) {
    return complement(new TupleOutput().put(codec, value).toBytes());
  }

  @Override
  public T decode(byte[] bytes) {
    TupleInput input = new TupleInput(complement(bytes));
    T value = input.next(codec);
    input.checkEnd();
    return value;
  }

  private static byte[] complement(byte[] bytes) {
    byte[] complement = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      complement[i] = (byte) ~bytes[i];
    }
    return complement;
  }

  @Override
  public int fixedBytes() {
    return codec.fixedBytes();
  }

  @Override
  public KeyCodec<T> descending() {
    return codec;
  }

  @Override
  public String toString() {
    return codec + ", descending";
  }
}
