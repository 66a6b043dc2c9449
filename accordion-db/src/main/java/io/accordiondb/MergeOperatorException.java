// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import org.jspecify.annotations.Nullable;

/**
 * A read needs the merge operator of a family, and the operator is not among {@link
 * DatabaseOptions#mergeOperators} or has failed. The stored operands are unchanged.
 */
public final class MergeOperatorException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param operator the name of the operator
   * @param row the row that was read
   * @param family the name of the family
   * @param qualifier the qualifier of the column
   * @param cause the exception of the operator; null if the operator is missing
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
