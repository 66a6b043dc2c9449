// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.crypt;

import java.nio.ByteBuffer;

/**
 * The filler that readers get instead of bytes that cannot be decrypted. All contents of files have
 * checksums of their own, and the filler matches none of them, so it is treated like damage in a
 * plain file.
 */
final class Undeciphered {
  private static final byte FILLER = (byte) 0xA5;

  private Undeciphered() {}

  static void fill(ByteBuffer target, int bytes) {
    for (int i = 0; i < bytes; i++) {
      target.put(FILLER);
    }
  }
}
