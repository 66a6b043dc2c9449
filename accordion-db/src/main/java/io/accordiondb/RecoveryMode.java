// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** What opening a database does with a log that is not whole. */
public enum RecoveryMode {
  /**
   * Accepts what a crash leaves: the replay ends behind the last whole record, and reports how many
   * bytes it has left out. Whatever no crash explains is refused, such as a missing log file or
   * damage of what was on the device.
   */
  TOLERATE_TORN_TAIL,
  /** Every byte of the log must be sound, and every file there, as after an orderly close. */
  ABSOLUTE,
  /**
   * The replay ends at the first unsound record or missing file, whatever the reason, and leaves
   * out all that follows: the database is as it was at one moment. Refused if a store has in its
   * files what was written after that moment, for then no such moment can be had.
   */
  POINT_IN_TIME,
  /**
   * Keeps whatever is sound, also behind damage and missing files; batches are whole, but some in
   * the middle may be missing. For when other copies are lost.
   */
  SALVAGE
}
