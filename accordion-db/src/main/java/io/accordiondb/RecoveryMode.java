// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** How a database opens if its log is incomplete or damaged. */
public enum RecoveryMode {
  /**
   * Accepts what a crash leaves. The replay ends after the last whole record and reports how many
   * bytes it has left out. Damage that no crash explains is refused, such as a missing log file or
   * damaged bytes that had been on the device. This is the default.
   */
  TOLERATE_TORN_TAIL,
  /** Requires every byte and every file of the log, as after an orderly close. */
  ABSOLUTE,
  /**
   * Ends the replay at the first damaged record or missing file, whatever the reason, and leaves
   * out everything after it. The database is as it was at one moment. Opening is refused if a
   * sorted table holds writes from after that moment.
   */
  POINT_IN_TIME,
  /**
   * Keeps everything that is sound, even after damage and missing files. Batches are whole, but
   * some in the middle may be missing. Use it if there is no other copy.
   */
  SALVAGE
}
