// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.merge;

import io.accordiondb.MergeOperator;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds numbers of eight bytes. */
final class CounterMerge implements MergeOperator {
  @Override
  public String name() {
    return "counter";
  }

  @Override
  public byte[] apply(byte @Nullable [] value, List<byte[]> operands) {
    long sum = value == null ? 0 : MergeOperators.longOf(value);
    for (int i = 0; i < operands.size(); i++) {
      sum += MergeOperators.longOf(operands.get(i));
    }
    return ByteBuffer.allocate(Long.BYTES).putLong(sum).array();
  }

  @Override
  public byte[] combine(List<byte[]> operands) {
    return apply(null, operands);
  }
}
