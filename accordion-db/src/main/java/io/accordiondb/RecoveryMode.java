// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** What opening a database does with a log that is not whole. */
public enum RecoveryMode {
  /**
   * A crash is taken for what it is: the replay ends behind the last whole record, and tells how
   * many bytes it has left out. What no crash explains is refused.
   */
  TOLERATE_TORN_TAIL,
  /** Every byte of the log must be sound, as after an orderly end. */
  ABSOLUTE,
  /**
   * The replay ends at the first unsound record, whatever the reason, and leaves out all that
   * follows: the database is as it was at one moment. Refused if a store has in its files what was
   * written after that moment, for then no such moment can be had.
   */
  POINT_IN_TIME,
  /**
   * Whatever is sound is kept, also behind damage; batches are whole, but some in the middle may be
   * missing. For when other copies are lost.
   */
  SALVAGE
}
