// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.merge;

import io.accordiondb.MergeOperator;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Unites sets in the encoding of {@link ByteSets}. */
final class SetUnionMerge implements MergeOperator {
  @Override
  public String name() {
    return "set-union";
  }

  @Override
  public byte[] apply(byte @Nullable [] value, List<byte[]> operands) {
    SortedSet<byte[]> union = new TreeSet<>(Arrays::compareUnsigned);
    if (value != null) {
      union.addAll(ByteSets.decode(value));
    }
    for (byte[] operand : operands) {
      union.addAll(ByteSets.decode(operand));
    }
    return ByteSets.encode(union);
  }

  @Override
  public byte[] combine(List<byte[]> operands) {
    return apply(null, operands);
  }
}
