// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How the versions of a key are stored.
 *
 * <p>The latest version is under the key itself: its timestamp in eight bytes, and the value. Each
 * older one, and a latest one that is a tombstone, is under the key and its timestamp, in eight
 * bytes with the sign turned around: the time at which it ends in eight bytes, and, unless it is a
 * tombstone, a byte 1 and the value.
 */
final class VersionLayout {
  /** The end of a version that has no successor. */
  static final long OPEN_END = Long.MAX_VALUE;

  private static final byte HAS_VALUE = 1;

  private VersionLayout() {}

  static byte[] latest(byte[] value, long timestamp) {
    return ByteBuffer.allocate(Long.BYTES + value.length).putLong(timestamp).put(value).array();
  }

  static long timestampOfLatest(byte[] latest) {
    return ByteBuffer.wrap(latest).getLong();
  }

  static byte[] valueOfLatest(byte[] latest) {
    return Arrays.copyOfRange(latest, Long.BYTES, latest.length);
  }

  static byte[] versionKey(byte[] key, long timestamp) {
    return ByteBuffer.allocate(key.length + Long.BYTES)
        .put(key)
        .putLong(timestamp ^ Long.MIN_VALUE)
        .array();
  }

  static long timestampOf(byte[] versionKey) {
    return ByteBuffer.wrap(versionKey).getLong(versionKey.length - Long.BYTES) ^ Long.MIN_VALUE;
  }

  /** Returns whether a version is one of a key, not of a longer key that begins with it. */
  static boolean isOf(byte[] versionKey, byte[] key) {
    return versionKey.length == key.length + Long.BYTES
        && Arrays.equals(versionKey, 0, key.length, key, 0, key.length);
  }

  static byte[] version(byte @Nullable [] value, long validTo) {
    if (value == null) {
      return ByteBuffer.allocate(Long.BYTES).putLong(validTo).array();
    }
    return ByteBuffer.allocate(Long.BYTES + 1 + value.length)
        .putLong(validTo)
        .put(HAS_VALUE)
        .put(value)
        .array();
  }

  static long validTo(byte[] version) {
    return ByteBuffer.wrap(version).getLong();
  }

  static byte @Nullable [] valueOf(byte[] version) {
    return version.length == Long.BYTES
        ? null
        : Arrays.copyOfRange(version, Long.BYTES + 1, version.length);
  }
}
