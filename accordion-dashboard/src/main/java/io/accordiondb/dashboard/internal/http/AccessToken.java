// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/** The secret that every request for data carries: 192 random bits. Immutable. */
public final class AccessToken {
  private static final int BYTES = 24;

  private final String text;

  private AccessToken(String text) {
    this.text = text;
  }

  /** Returns a token that cannot be predicted. */
  public static AccessToken random() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return new AccessToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Returns the token in characters that an address may have. */
  String text() {
    return text;
  }

  /** Compares in a time that does not depend on how much of the candidate is right. */
  boolean matches(String candidate) {
    return MessageDigest.isEqual(
        candidate.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8));
  }

  /** Keeps the secret out of logs. */
  @Override
  public String toString() {
    return "AccessToken";
  }
}
