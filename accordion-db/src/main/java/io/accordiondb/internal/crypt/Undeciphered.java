// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.crypt;

import java.nio.ByteBuffer;

/**
 * What is read in the place of bytes that do not open. Whatever a file holds has checksums of its
 * own, none of which this fits; so all that is done about damage in plain files is done here, too.
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
