// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

/**
 * Counts the versions of a column, newest first. Puts of equal timestamp are one version,
 * represented by the first one, which was written last. Versions that a delete marker hides do not
 * count against versions that no marker hides.
 */
final class VersionCounter {
  /** What {@link #count} returns for a put that a newer one of the same timestamp replaces. */
  static final int REPLACED = -1;

  private int all;
  private int unhidden;
  private long lastTimestamp;

  void startColumn() {
    all = 0;
    unhidden = 0;
  }

  /** Returns the number of versions that no marker hides. */
  int unhidden() {
    return unhidden;
  }

  /** Returns how many versions counted so far are newer than a put, or {@link #REPLACED}. */
  int newerThan(long timestamp, boolean hidden) {
    if (all > 0 && timestamp == lastTimestamp) {
      return REPLACED;
    }
    return hidden ? all : unhidden;
  }

  /** Counts a put, and returns what {@link #newerThan} says of it. */
  int count(long timestamp, boolean hidden) {
    int newer = newerThan(timestamp, hidden);
    if (newer == REPLACED) {
      return REPLACED;
    }
    lastTimestamp = timestamp;
    all++;
    if (!hidden) {
      unhidden++;
    }
    return newer;
  }
}
