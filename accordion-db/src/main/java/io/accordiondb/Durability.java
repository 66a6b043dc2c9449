// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** What has become of a write when it returns; weakest first, named and defined as in HBase. */
public enum Durability {
  /**
   * Not logged (HBase: SKIP_WAL). Kept in memory until a flush; lost when the process ends without
   * {@link Database#close} or {@link Database#flush}. What the write replaced is then found again,
   * as it was logged.
   */
  SKIP,
  /**
   * Logged in memory, and handed to the operating system within {@link
   * DatabaseOptions#asyncLogDelay} (HBase: ASYNC_WAL). A killed process loses what was written
   * since.
   */
  ASYNC,
  /**
   * Handed to the operating system (HBase: SYNC_WAL). Survives the death of the process; a machine
   * that loses power loses what the operating system has not written yet.
   */
  SYNC,
  /** Forced to the device (HBase: FSYNC_WAL). Survives a loss of power. */
  FSYNC
}
