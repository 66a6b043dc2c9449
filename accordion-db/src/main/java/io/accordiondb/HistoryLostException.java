// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * A snapshot or a scan needs cells that no longer exist: since it began, the table was truncated,
 * or the table or the family was dropped. Read again as of a later moment.
 */
public final class HistoryLostException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the store and the sequence number of the read.
   *
   * @param store table and family, in words
   * @param sequenceNumber the sequence number of the read
   */
  public HistoryLostException(String store, long sequenceNumber) {
    super(
        "the cells of "
            + store
            + " as of sequence number "
            + sequenceNumber
            + " are gone: they were truncated or dropped since; take a new snapshot");
  }
}
