// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.crypt;

/** The positions of the pages in a file that is written once and read at random. */
final class Pages {
  /** The bytes in a page. */
  static final int PLAIN_BYTES = 4 << 10;

  /** The bytes that a page takes in the file. */
  static final int SEALED_BYTES = PLAIN_BYTES + FrameCipher.TAG_BYTES;

  private Pages() {}

  /** Returns the bytes of content in pages that take the given number of bytes in a file. */
  static long plainBytes(long sealedBytes) {
    long rest = Math.max(0, sealedBytes % SEALED_BYTES - FrameCipher.TAG_BYTES);
    return sealedBytes / SEALED_BYTES * PLAIN_BYTES + rest;
  }
}
