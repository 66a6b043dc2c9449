// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.merge;

import io.accordiondb.MergeOperator;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Appends bytes. */
final class AppendMerge implements MergeOperator {
  private static final byte[] EMPTY = {};

  @Override
  public String name() {
    return "append";
  }

  @Override
  public byte[] apply(byte @Nullable [] value, List<byte[]> operands) {
    byte[] first = value == null ? EMPTY : value;
    int length = first.length;
    for (byte[] operand : operands) {
      length = Math.addExact(length, operand.length);
    }
    byte[] whole = Arrays.copyOf(first, length);
    int at = first.length;
    for (byte[] operand : operands) {
      System.arraycopy(operand, 0, whole, at, operand.length);
      at += operand.length;
    }
    return whole;
  }

  @Override
  public byte[] combine(List<byte[]> operands) {
    return apply(null, operands);
  }
}
