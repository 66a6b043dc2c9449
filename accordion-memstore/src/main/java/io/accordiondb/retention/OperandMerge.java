// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies the merge operator of a family. Both methods may throw what the operator throws.
 * Thread-safe.
 */
public interface OperandMerge {
  /** {@return the name of the operator} */
  String name();

  /** {@return how many bytes a combined cell's value may have} */
  int valueBytesMax();

  /**
   * Combines operands into one.
   *
   * @param operands at least two consecutive operands, oldest first
   * @return the combined operand, or null if the operands must stay separate
   */
  byte @Nullable [] combine(List<byte[]> operands);

  /**
   * Applies operands to a value.
   *
   * @param value the present value of the column, or null if it has none
   * @param operands at least one, oldest first
   * @return the new value of the column
   */
  byte[] apply(byte @Nullable [] value, List<byte[]> operands);

  /**
   * Reports that a flush or a compaction keeps operands because the operator has failed.
   *
   * @param cause what the operator has thrown
   */
  void onFailure(Throwable cause);
}
