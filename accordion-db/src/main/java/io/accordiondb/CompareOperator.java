// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.Arrays;

/** Compares stored bytes with given bytes, as unsigned bytes: {@code stored OPERATOR given}. */
public enum CompareOperator {
  /** The same bytes. */
  EQUAL,
  /** Other bytes. */
  NOT_EQUAL,
  /** Lower. */
  LESS,
  /** Lower or the same. */
  LESS_OR_EQUAL,
  /** Higher. */
  GREATER,
  /** Higher or the same. */
  GREATER_OR_EQUAL;

  /**
   * {@return whether {@code stored OPERATOR given} holds}
   *
   * @param stored the stored value
   * @param given the given value
   */
  public boolean test(byte[] stored, byte[] given) {
    int order = Arrays.compareUnsigned(stored, given);
    return switch (this) {
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case GREATER -> order > 0;
      case GREATER_OR_EQUAL -> order >= 0;
    };
  }
}
