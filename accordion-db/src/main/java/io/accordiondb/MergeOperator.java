// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.List;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Combines operands, which {@link Merge} writes without reading, with the value of a column. A
 * family refers to its operator by name ({@link FamilyDescriptor.Builder#mergeOperator}), and
 * {@link DatabaseOptions.Builder#mergeOperator} defines the name.
 *
 * <pre>{@code
 * MergeOperator longest =
 *     MergeOperator.associative("longest", (older, newer) ->
 *         older.length < newer.length ? newer : older);
 * Database database =
 *     Database.open(folder, DatabaseOptions.builder().mergeOperator(longest).build());
 * database.createTable(
 *     TableDescriptor.builder("titles")
 *         .family(FamilyDescriptor.builder("f").mergeOperator("longest").build())
 *         .build());
 * }</pre>
 *
 * <p>Readers, flushes and compactions call an operator, on many threads at once, for any
 * consecutive operands. The result must depend on the arguments alone, and must not depend on how
 * operands are grouped: {@code apply(v, [a, b])} must equal {@code apply(apply(v, [a]), [b])} and,
 * if {@code combine([a, b])} is not null, {@code apply(v, [combine([a, b])])}. The arrays that are
 * passed to it are not used by others.
 *
 * <p>An operator that throws, or returns no value, makes reads of the column fail with {@link
 * MergeOperatorException}; flushes and compactions keep the operands as they are. An operator must
 * not flush, compact, refresh or close the database that calls it, which would wait for the
 * operator itself: on a thread of the database that throws an {@link IllegalStateException}.
 */
public interface MergeOperator {
  /** {@return the name that families know the operator by: 1 to 127 printable ASCII characters} */
  String name();

  /**
   * Applies operands to a value.
   *
   * @param value the column's value before, or null if it has none
   * @param operands at least one, oldest first
   * @return the column's value
   */
  byte[] apply(byte @Nullable [] value, List<byte[]> operands);

  /**
   * Combines operands into one that has the same effect. Without this, columns keep each operand
   * until a compaction reaches the value that they are applied to.
   *
   * @param operands at least two, oldest first
   * @return the operand, or null to keep them apart
   */
  default byte @Nullable [] combine(List<byte[]> operands) {
    return null;
  }

  /**
   * {@return an operator whose values and operands are the same kind of thing} The first operand of
   * a column is its value.
   *
   * @param function combines what is older, its first argument, with what is newer; associative
   * @param name the name by which families refer to the operator
   */
  static MergeOperator associative(String name, BinaryOperator<byte[]> function) {
    return new AssociativeMerge(
        Objects.requireNonNull(name, "name"), Objects.requireNonNull(function, "function"));
  }
}
