// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.crypt;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals and opens the frames of one file by AES-GCM under the file's data key. Thread-safe.
 *
 * <p>The nonce of a frame is its number. A writer gives no number twice, so no nonce is used twice
 * under a key; and a frame that was moved, within its file or to another one, cannot be opened.
 */
final class FrameCipher {
  /** The number of bytes by which a sealed frame is longer than its content. */
  static final int TAG_BYTES = 16;

  private static final int NONCE_BYTES = 12;
  private static final String TRANSFORMATION = "AES/GCM/NoPadding";

  /** Ciphers that are not in use, kept because creating one takes longer than sealing a frame. */
  private static final ConcurrentLinkedQueue<Cipher> IDLE = new ConcurrentLinkedQueue<>();

  private final SecretKey key;

  FrameCipher(byte[] dataKey) {
    this.key = new SecretKeySpec(dataKey, "AES");
  }

  /** Seals what remains in a buffer, behind which the target must have room for a tag. */
  void seal(long number, ByteBuffer plain, ByteBuffer target) {
    try {
      crypt(Cipher.ENCRYPT_MODE, number, plain, target);
    } catch (AEADBadTagException e) {
      throw new AssertionError(e);
    }
  }

  /** Opens what remains in a buffer; returns false if it is not what was sealed. */
  boolean open(long number, ByteBuffer sealed, ByteBuffer target) {
    int begin = target.position();
    try {
      crypt(Cipher.DECRYPT_MODE, number, sealed, target);
      return true;
    } catch (AEADBadTagException e) {
      target.position(begin);
      return false;
    }
  }

  private void crypt(int mode, long number, ByteBuffer source, ByteBuffer target)
      throws AEADBadTagException {
    byte[] nonce =
        ByteBuffer.allocate(NONCE_BYTES).putLong(NONCE_BYTES - Long.BYTES, number).array();
    try {
      Cipher cipher = IDLE.poll();
      if (cipher == null) {
        cipher = Cipher.getInstance(TRANSFORMATION);
      }
      cipher.init(mode, key, new GCMParameterSpec(Byte.SIZE * TAG_BYTES, nonce));
      cipher.doFinal(source, target);
      IDLE.add(cipher);
    } catch (AEADBadTagException e) {
      throw e;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot encrypt by " + TRANSFORMATION, e);
    }
  }
}
