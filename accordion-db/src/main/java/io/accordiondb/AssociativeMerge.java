// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.List;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** A merge operator that applies one associative function. */
record AssociativeMerge(String name, BinaryOperator<byte[]> function) implements MergeOperator {
  @Override
  public byte[] apply(byte @Nullable [] value, List<byte[]> operands) {
    byte[] result = value == null ? operands.get(0) : function.apply(value, operands.get(0));
    for (int i = 1; i < operands.size(); i++) {
      result = function.apply(result, operands.get(i));
    }
    return result;
  }

  @Override
  public byte[] combine(List<byte[]> operands) {
    return apply(null, operands);
  }
}
