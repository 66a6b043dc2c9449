// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

/** What a replay does where the log ends in the middle of a write. */
public enum RecoveryMode {
  /**
   * A crash is taken for what it is: the replay ends behind the last whole record, and tells how
   * many bytes it has left out. Damage is refused nevertheless.
   */
  TOLERATE_TORN_TAIL,
  /** Every byte of the log must be sound, as after an orderly end. */
  ABSOLUTE
}
