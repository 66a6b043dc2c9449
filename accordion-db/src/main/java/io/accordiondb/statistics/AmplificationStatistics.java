// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

/**
 * The cost of storing and reading, relative to the data.
 *
 * @param sinceOpening since the database was opened
 * @param lastMinute within the last minute, or since opening if that is shorter ago
 * @param space bytes of all sorted tables for each byte of the largest sorted run of every store,
 *     which is about what a full compaction leaves; 1 without sorted tables
 */
public record AmplificationStatistics(Period sinceOpening, Period lastMinute, double space) {
  /**
   * What was written and read in a period.
   *
   * @param nanos its length in nanoseconds
   * @param bytesCommitted bytes of keys and values that the application committed, as in {@link
   *     WriteStatistics#bytes}
   * @param bytesWritten bytes written by log, flushes and compactions
   * @param rowsRead rows that gets and scans read
   * @param blocksRead blocks of sorted tables that were read, from the cache or from files, without
   *     those of compactions
   */
  public record Period(
      long nanos, long bytesCommitted, long bytesWritten, long rowsRead, long blocksRead) {
    /**
     * {@return the write amplification: bytes written by log, flushes and compactions for each byte
     * of keys and values that the application committed; 0 before the first}
     */
    public double write() {
      return bytesCommitted == 0 ? 0 : (double) bytesWritten / bytesCommitted;
    }

    /** {@return the read amplification: blocks read for each row read; 0 before the first} */
    public double read() {
      return rowsRead == 0 ? 0 : (double) blocksRead / rowsRead;
    }
  }
}
