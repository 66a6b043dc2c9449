// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import org.jspecify.annotations.Nullable;

/**
 * The merge operator of a family cannot give the value of a column: it is not among {@link
 * DatabaseOptions#mergeOperators}, or it has failed. The operands are stored as they were.
 */
public final class MergeOperatorException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param operator the name of the operator
   */
  public MergeOperatorException(
      String operator, byte[] row, byte[] family, byte[] qualifier, @Nullable Throwable cause) {
    super(
        "merge operator "
            + operator
            + " of family "
            + Bytes.show(family)
            + " failed in row "
            + Bytes.show(row)
            + ", qualifier "
            + Bytes.show(qualifier)
            + (cause == null ? "" : ": " + cause),
        cause);
  }
}
