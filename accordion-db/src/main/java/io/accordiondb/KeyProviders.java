// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Providers of keys in text form: a line for each key with its name, a space and 32 bytes in
 * Base64. The last line has the current key; the other keys are for reading older files. Lines that
 * begin with # are comments.
 *
 * <pre>
 *   2025 q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=
 *   2026 ASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4mrze8=
 * </pre>
 *
 * <p>Data keys are wrapped by AES-256-GCM.
 */
public final class KeyProviders {
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private KeyProviders() {}

  /**
   * {@return the keys in a file, which is read now}
   *
   * @param file the file in the format described above
   * @throws IllegalArgumentException if the file is no text, or a line is malformed; the message
   *     names the line, never the key
   * @throws IOException if the storage fails
   */
  public static KeyProvider file(Path file) throws IOException {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          file
              + " is not text in UTF-8; expected lines with the name of a key, a space and 32 bytes"
              + " in Base64",
          e);
    }
    return parsed(text, file.toString());
  }

  /**
   * {@return the keys in an environment variable, which is read now}
   *
   * @param variable the name of the variable
   * @throws KeyUnavailableException if it is not set
   * @throws IllegalArgumentException if a line is malformed; the message names the line, never the
   *     key
   */
  public static KeyProvider environment(String variable) throws KeyUnavailableException {
    String text = System.getenv(variable);
    if (text == null) {
      throw new KeyUnavailableException("the environment variable " + variable + " is not set");
    }
    return parsed(text, "the environment variable " + variable);
  }

  /**
   * {@return a provider with the keys of another one for reading only: new files are plain} Use it
   * to convert a database back to plain files.
   *
   * @param keys the provider to read old files with
   */
  public static KeyProvider withoutCurrent(KeyProvider keys) {
    Objects.requireNonNull(keys, "keys");
    return new KeyProvider() {
      @Override
      public @Nullable String currentKeyId() {
        return null;
      }

      @Override
      public byte[] wrap(String keyId, byte[] dataKey) throws IOException {
        return keys.wrap(keyId, dataKey);
      }

      @Override
      public byte[] unwrap(String keyId, byte[] wrapped) throws IOException {
        return keys.unwrap(keyId, wrapped);
      }
    };
  }

  private static KeyProvider parsed(String text, String source) {
    Map<String, byte[]> keys = new LinkedHashMap<>();
    String last = null;
    int number = 0;
    for (String line : text.lines().map(String::strip).toList()) {
      number++;
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      int space = line.indexOf(' ');
      byte[] key = space < 0 ? new byte[0] : decoded(line.substring(space + 1).strip());
      if (key.length != KEY_BYTES
          || line.substring(0, space).getBytes(StandardCharsets.UTF_8).length
              > KeyProvider.KEY_ID_BYTES_MAX) {
        throw new IllegalArgumentException(
            source
                + ", line "
                + number
                + ": expected the name of a key, a space and 32 bytes in Base64");
      }
      last = line.substring(0, space);
      if (keys.put(last, key) != null) {
        throw new IllegalArgumentException(source + ", line " + number + ": " + last + " again");
      }
    }
    if (last == null) {
      throw new IllegalArgumentException(source + " holds no key");
    }
    return new TextKeys(source, keys, last);
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  /** Keys by name. */
  private static final class TextKeys implements KeyProvider {
    private final String source;
    private final Map<String, byte[]> keys;
    private final String current;
    private final SecureRandom random = new SecureRandom();

    TextKeys(String source, Map<String, byte[]> keys, String current) {
      this.source = source;
      this.keys = keys;
      this.current = current;
    }

    @Override
    public String currentKeyId() {
      return current;
    }

    @Override
    public byte[] wrap(String keyId, byte[] dataKey) throws IOException {
      byte[] nonce = new byte[NONCE_BYTES];
      random.nextBytes(nonce);
      try {
        byte[] sealed = cipher(Cipher.ENCRYPT_MODE, keyId, nonce).doFinal(dataKey);
        return ByteBuffer.allocate(NONCE_BYTES + sealed.length).put(nonce).put(sealed).array();
      } catch (GeneralSecurityException e) {
        throw new IOException("this Java cannot encrypt by AES-256-GCM", e);
      }
    }

    @Override
    public byte[] unwrap(String keyId, byte[] wrapped) throws IOException {
      try {
        // What is too short is extended by zeros, and is no sealed key either.
        int bytes = Math.max(NONCE_BYTES + TAG_BITS / Byte.SIZE, wrapped.length);
        byte[] whole = Arrays.copyOf(wrapped, bytes);
        byte[] nonce = Arrays.copyOf(whole, NONCE_BYTES);
        return cipher(Cipher.DECRYPT_MODE, keyId, nonce)
            .doFinal(whole, NONCE_BYTES, bytes - NONCE_BYTES);
      } catch (GeneralSecurityException e) {
        throw new KeyUnavailableException(
            "the key \""
                + keyId
                + "\" of "
                + source
                + " is another one than the file was"
                + " encrypted under",
            e);
      }
    }

    private Cipher cipher(int mode, String keyId, byte[] nonce)
        throws GeneralSecurityException, KeyUnavailableException {
      byte[] key = keys.get(keyId);
      if (key == null) {
        throw new KeyUnavailableException(
            source + " has no key \"" + keyId + "\", only " + keys.keySet());
      }
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(keyId.getBytes(StandardCharsets.UTF_8));
      return cipher;
    }

    @Override
    public String toString() {
      return "keys " + keys.keySet() + " of " + source;
    }
  }
}
