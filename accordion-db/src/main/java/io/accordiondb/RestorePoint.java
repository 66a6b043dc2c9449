// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.time.Instant;
import java.util.Objects;

/** A moment to which a database is restored. */
public sealed interface RestorePoint {
  /**
   * {@return the moment at which all writes up to a sequence number, and no later ones, were
   * visible}
   *
   * @param sequence the last sequence number to restore, at least 0
   */
  static RestorePoint sequence(long sequence) {
    return new OfSequence(sequence);
  }

  /**
   * {@return the last moment that the log shows to be no later than a time, by the clock of the
   * database} The log records the time in each second in which something was written. If the
   * process was killed, the writes of its last second count as of the next opening.
   *
   * @param time the time by the clock of the database
   */
  static RestorePoint time(Instant time) {
    return new OfTime(time);
  }

  /**
   * A moment given by its sequence number.
   *
   * @param sequence at least 0
   */
  record OfSequence(long sequence) implements RestorePoint {
    /**
     * Checks the number.
     *
     * @param sequence the last sequence number to restore, at least 0
     */
    public OfSequence {
      if (sequence < 0) {
        throw new IllegalArgumentException("sequence number " + sequence + ", expected at least 0");
      }
    }

    @Override
    public String toString() {
      return "sequence number " + sequence;
    }
  }

  /**
   * A moment given by the database's clock.
   *
   * @param time no write that the log shows to be later is restored
   */
  record OfTime(Instant time) implements RestorePoint {
    /**
     * Checks the time.
     *
     * @param time the time by the clock of the database
     */
    public OfTime {
      Objects.requireNonNull(time, "time");
    }

    @Override
    public String toString() {
      return time.toString();
    }
  }
}
