// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * What is guaranteed when a write returns, from the weakest to the strongest. Names and meanings
 * are those of HBase. The default is {@link #SYNC}.
 */
public enum Durability {
  /**
   * Not logged (HBase: SKIP_WAL). The write is in memory until a flush. It is lost if the process
   * ends without {@link Database#close} or {@link Database#flush}; a logged value that it had
   * replaced is then visible again. A batch, a transaction or a row with several families may then
   * be there in part: what was flushed.
   */
  SKIP,
  /**
   * Logged in memory, and handed to the operating system within {@link
   * DatabaseOptions#asyncLogDelay} (HBase: ASYNC_WAL). A killed process loses the writes of that
   * time.
   */
  ASYNC,
  /**
   * Handed to the operating system (HBase: SYNC_WAL). The write survives the death of the process.
   * If the machine loses power, writes that the operating system has not written to the device are
   * lost.
   */
  SYNC,
  /** Forced to the device (HBase: FSYNC_WAL). The write survives a loss of power. */
  FSYNC
}
