// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import org.jspecify.annotations.Nullable;

/**
 * The compaction filter of a family, which applies it to reads, cannot say whether a cell has
 * expired: it is not among {@link DatabaseOptions#compactionFilters}, or it has failed. The cells
 * are stored as they were.
 */
public final class CompactionFilterException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param filter the name of the filter
   */
  public CompactionFilterException(String filter, byte[] family, @Nullable Throwable cause) {
    super(
        "compaction filter "
            + filter
            + " of family "
            + Bytes.show(family)
            + " failed"
            + (cause == null ? "" : ": " + cause),
        cause);
  }
}
