// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes one row if conditions hold. No other write comes between the check and the change.
 *
 * <pre>{@code
 * table.checkAndMutate(
 *     CheckAndMutate.builder(row)
 *         .ifEquals(family, qualifier, oldValue)
 *         .build(new Put(row).addColumn(family, qualifier, newValue)));
 * }</pre>
 */
public final class CheckAndMutate {
  private final byte[] row;
  private final List<Condition> conditions;
  private final @Nullable Filter filter;
  private final long minTimestamp;
  private final long maxTimestamp;
  private final List<Mutation> mutations;

  /**
   * A condition on the newest value of a column.
   *
   * @param expected null to require that the column is absent, or, with {@link
   *     CompareOperator#NOT_EQUAL}, that it is present
   */
  public record Condition(
      byte[] family, byte[] qualifier, CompareOperator operator, byte @Nullable [] expected) {
    /**
     * {@return whether the condition holds for a stored value, or for a column without a value}
     *
     * @param stored the stored value; null for none
     */
    public boolean test(byte @Nullable [] stored) {
      if (expected == null) {
        return (operator == CompareOperator.NOT_EQUAL) == (stored != null);
      }
      return stored != null && operator.test(stored, expected);
    }
  }

  private CheckAndMutate(Builder builder, List<Mutation> mutations) {
    row = builder.row;
    conditions = List.copyOf(builder.conditions);
    filter = builder.filter;
    minTimestamp = builder.minTimestamp;
    maxTimestamp = builder.maxTimestamp;
    this.mutations = List.copyOf(mutations);
  }

  /**
   * Begins a change of a row.
   *
   * @param row the row, 1 to 32,767 bytes; not copied
   * @return the builder
   */
  public static Builder builder(byte[] row) {
    return new Builder(row);
  }

  /** {@return the row} */
  public byte[] row() {
    return row;
  }

  /** {@return the conditions on columns} */
  public List<Condition> conditions() {
    return conditions;
  }

  /** {@return the filter that must keep at least one cell of the row, or null} */
  public @Nullable Filter filter() {
    return filter;
  }

  /** {@return the lowest timestamp of the cells that are checked} */
  public long minTimestamp() {
    return minTimestamp;
  }

  /** {@return the timestamp, exclusive, up to which cells are checked} */
  public long maxTimestamp() {
    return maxTimestamp;
  }

  /** {@return the mutations that are applied if all conditions hold} */
  public List<Mutation> mutations() {
    return mutations;
  }

  /** Builds a {@link CheckAndMutate}. All conditions that are added must hold. Not thread-safe. */
  public static final class Builder {
    private final byte[] row;
    private final List<Condition> conditions = new ArrayList<>();
    private @Nullable Filter filter;
    private long minTimestamp;
    private long maxTimestamp = Long.MAX_VALUE;

    private Builder(byte[] row) {
      this.row = CellLimits.checkRow("check", row);
    }

    /**
     * Requires that a column has no value.
     *
     * @param family the name of the family
     * @param qualifier the qualifier; may be empty
     * @return this builder
     */
    public Builder ifNotExists(byte[] family, byte[] qualifier) {
      return ifTrue(family, qualifier, CompareOperator.EQUAL, null);
    }

    /**
     * Requires that a column has a value.
     *
     * @param family the name of the family
     * @param qualifier the qualifier; may be empty
     * @return this builder
     */
    public Builder ifExists(byte[] family, byte[] qualifier) {
      return ifTrue(family, qualifier, CompareOperator.NOT_EQUAL, null);
    }

    /**
     * Requires that the newest value of a column equals a value.
     *
     * @param family the name of the family
     * @param qualifier the qualifier; may be empty
     * @param value the value to compare with
     * @return this builder
     */
    public Builder ifEquals(byte[] family, byte[] qualifier, byte[] value) {
      return ifMatches(family, qualifier, CompareOperator.EQUAL, value);
    }

    /**
     * Requires that a column has a value, and that {@code stored OPERATOR value} holds.
     *
     * @param family the name of the family
     * @param qualifier the qualifier; may be empty
     * @param operator how the stored value compares with the given one
     * @param value the value to compare with
     * @return this builder
     */
    public Builder ifMatches(
        byte[] family, byte[] qualifier, CompareOperator operator, byte[] value) {
      return ifTrue(family, qualifier, operator, Objects.requireNonNull(value, "value"));
    }

    /**
     * Requires that a filter keeps at least one cell of the row. It replaces a filter that was set
     * before.
     *
     * @param filter the filter, which receives the cells of the row
     * @return this builder
     */
    public Builder ifMatches(Filter filter) {
      this.filter = Objects.requireNonNull(filter, "filter");
      return this;
    }

    private Builder ifTrue(
        byte[] family, byte[] qualifier, CompareOperator operator, byte @Nullable [] expected) {
      conditions.add(
          new Condition(
              Objects.requireNonNull(family, "family"),
              Objects.requireNonNull(qualifier, "qualifier"),
              Objects.requireNonNull(operator, "operator"),
              expected));
      return this;
    }

    /**
     * Restricts the conditions to versions from a timestamp, inclusive, to another, exclusive.
     *
     * @param minTimestamp the lowest timestamp, inclusive
     * @param maxTimestamp the highest timestamp, exclusive
     * @return this builder
     */
    public Builder setTimeRange(long minTimestamp, long maxTimestamp) {
      Query.checkTimeRange(minTimestamp, maxTimestamp);
      this.minTimestamp = minTimestamp;
      this.maxTimestamp = maxTimestamp;
      return this;
    }

    /**
     * {@return the change}
     *
     * @param mutation the mutation to apply if all conditions hold
     * @throws IllegalArgumentException if there is no condition, or the mutation is of another row
     */
    public CheckAndMutate build(Mutation mutation) {
      return build(new RowMutations(row).add(mutation));
    }

    /**
     * {@return the change}
     *
     * @param mutations the mutations to apply if all conditions hold
     * @throws IllegalArgumentException if there is no condition or no mutation, or the mutations
     *     are of another row
     */
    public CheckAndMutate build(RowMutations mutations) {
      if (conditions.isEmpty() && filter == null) {
        throw new IllegalArgumentException("nothing is checked; add a condition, as ifEquals()");
      }
      if (Objects.requireNonNull(mutations, "mutations").mutations().isEmpty()) {
        throw new IllegalArgumentException(
            "nothing is done if the conditions hold; add a mutation");
      }
      RowMutations own = new RowMutations(row);
      mutations.mutations().forEach(own::add);
      return new CheckAndMutate(this, own.mutations());
    }
  }
}
