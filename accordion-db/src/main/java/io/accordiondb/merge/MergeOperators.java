// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.merge;

import io.accordiondb.MergeOperator;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** The merge operators that every database has, whether or not its options name them. */
public final class MergeOperators {
  private static final MergeOperator COUNTER = new CounterMerge();
  private static final MergeOperator APPEND = new AppendMerge();

  private static final MergeOperator MAX =
      MergeOperator.associative("max", (a, b) -> Arrays.compareUnsigned(b, a) > 0 ? b : a);

  private static final MergeOperator MIN =
      MergeOperator.associative("min", (a, b) -> Arrays.compareUnsigned(b, a) < 0 ? b : a);

  private static final MergeOperator MAX_LONG =
      MergeOperator.associative("max-long", (a, b) -> longOf(b) > longOf(a) ? b : a);

  private static final MergeOperator MIN_LONG =
      MergeOperator.associative("min-long", (a, b) -> longOf(b) < longOf(a) ? b : a);

  private static final MergeOperator SET_UNION = new SetUnionMerge();
  private static final MergeOperator JSON_MERGE_PATCH = new JsonPatchMerge();

  private MergeOperators() {}

  /**
   * Adds numbers of eight bytes, big-endian, as {@link io.accordiondb.KeyValueStore#increment}
   * stores them; a sum beyond 64 bits wraps around. Its name is {@code counter}.
   *
   * @return the operator
   */
  public static MergeOperator counter() {
    return COUNTER;
  }

  /**
   * Appends bytes. Its name is {@code append}.
   *
   * @return the operator
   */
  public static MergeOperator append() {
    return APPEND;
  }

  /**
   * Keeps the highest value, compared by unsigned bytes. Its name is {@code max}.
   *
   * @return the operator
   */
  public static MergeOperator max() {
    return MAX;
  }

  /**
   * Keeps the lowest value, compared by unsigned bytes. Its name is {@code min}.
   *
   * @return the operator
   */
  public static MergeOperator min() {
    return MIN;
  }

  /**
   * Keeps the highest signed number of eight bytes, big-endian. Its name is {@code max-long}. A
   * single operand of another length is stored and returned; reads fail once there is a second one.
   *
   * @return the operator
   */
  public static MergeOperator maxLong() {
    return MAX_LONG;
  }

  /**
   * Keeps the lowest signed number of eight bytes, big-endian. Its name is {@code min-long}. It
   * checks lengths as {@link #maxLong} does.
   *
   * @return the operator
   */
  public static MergeOperator minLong() {
    return MIN_LONG;
  }

  /**
   * Unites sets, which {@link ByteSets} encodes. A set of one element adds it. Its name is {@code
   * set-union}.
   *
   * @return the operator
   */
  public static MergeOperator setUnion() {
    return SET_UNION;
  }

  /**
   * Applies JSON merge patches (RFC 7396) to JSON texts, both in UTF-8. Numbers and strings stay as
   * they were written; the names of members may be escaped in another way, and white space is
   * removed. A column without a value is patched as {@code null}. Its name is {@code
   * json-merge-patch}.
   *
   * @return the operator
   */
  public static MergeOperator jsonMergePatch() {
    return JSON_MERGE_PATCH;
  }

  /** {@return all operators of this class} */
  public static List<MergeOperator> all() {
    return List.of(COUNTER, APPEND, MAX, MIN, MAX_LONG, MIN_LONG, SET_UNION, JSON_MERGE_PATCH);
  }

  static long longOf(byte[] bytes) {
    if (bytes.length != Long.BYTES) {
      throw new IllegalArgumentException(
          "a value or operand has " + bytes.length + " bytes, expected 8 of a number");
    }
    return ByteBuffer.wrap(bytes).getLong();
  }
}
