// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

/** Whether a failure stops writes. */
public enum WriteState {
  /** No failure stops writes. A database that is open read-only refuses them nevertheless. */
  OK,
  /** Writes are refused until the cause has passed, for example until the device has room. */
  SUSPENDED,
  /** Writes are refused until the database is closed and opened again. */
  FAILED
}
