// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import org.jspecify.annotations.Nullable;

/**
 * A read needs the compaction filter of a family, and the filter is not among {@link
 * DatabaseOptions#compactionFilters} or has failed. The stored cells are unchanged.
 */
public final class CompactionFilterException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param filter the name of the filter
   * @param family the name of the family
   * @param cause the exception of the filter; null if the filter is missing
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
