// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.merge;

import io.accordiondb.MergeOperator;
import io.accordiondb.retention.OperandMerge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies the merge operator of a family. Thread-safe if the operator is.
 *
 * @param operator null if the database does not know it
 * @param valueBytesMax maximum length of a stored value, in bytes
 */
record FamilyMerge(
    String name, @Nullable MergeOperator operator, int valueBytesMax, MergeFailures failures)
    implements OperandMerge {
  @Override
  public byte @Nullable [] combine(List<byte[]> operands) {
    return operator == null ? null : operator.combine(operands);
  }

  @Override
  public byte[] apply(byte @Nullable [] value, List<byte[]> operands) {
    if (operator == null) {
      throw new IllegalStateException("it is not among the database's merge operators");
    }
    byte[] result = operator.apply(value, operands);
    if (result == null) {
      throw new IllegalStateException("it returned no value");
    }
    return result;
  }

  @Override
  public void onFailure(Throwable cause) {
    failures.add(name, cause);
  }
}
