// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes one row if conditions hold for it, in one step: no other write comes between check and
 * change.
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
   * What must hold for the newest value of a column.
   *
   * @param expected null for a column that is absent, or present with {@link
   *     CompareOperator#NOT_EQUAL}
   */
  public record Condition(
      byte[] family, byte[] qualifier, CompareOperator operator, byte @Nullable [] expected) {
    /** Returns whether this holds for a stored value, or for none. */
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

  /** Begins a change of a row. */
  public static Builder builder(byte[] row) {
    return new Builder(row);
  }

  /** Returns the row. */
  public byte[] row() {
    return row;
  }

  /** Returns what must hold for columns. */
  public List<Condition> conditions() {
    return conditions;
  }

  /** Returns the filter that must keep some of the row, or null. */
  public @Nullable Filter filter() {
    return filter;
  }

  /** Returns the lowest timestamp of cells that are looked at. */
  public long minTimestamp() {
    return minTimestamp;
  }

  /** Returns the timestamp up to which, exclusive, cells are looked at. */
  public long maxTimestamp() {
    return maxTimestamp;
  }

  /** Returns what is done if all conditions hold. */
  public List<Mutation> mutations() {
    return mutations;
  }

  /** Builds a {@link CheckAndMutate}; all conditions named must hold. Not thread-safe. */
  public static final class Builder {
    private final byte[] row;
    private final List<Condition> conditions = new ArrayList<>();
    private @Nullable Filter filter;
    private long minTimestamp;
    private long maxTimestamp = Long.MAX_VALUE;

    private Builder(byte[] row) {
      this.row = CellLimits.checkRow("check", row);
    }

    /** Asks that a column have no value. */
    public Builder ifNotExists(byte[] family, byte[] qualifier) {
      return ifTrue(family, qualifier, CompareOperator.EQUAL, null);
    }

    /** Asks that a column have a value. */
    public Builder ifExists(byte[] family, byte[] qualifier) {
      return ifTrue(family, qualifier, CompareOperator.NOT_EQUAL, null);
    }

    /** Asks that the newest value of a column be this one. */
    public Builder ifEquals(byte[] family, byte[] qualifier, byte[] value) {
      return ifMatches(family, qualifier, CompareOperator.EQUAL, value);
    }

    /** Asks that a column have a value, and that {@code stored OPERATOR value} hold. */
    public Builder ifMatches(
        byte[] family, byte[] qualifier, CompareOperator operator, byte[] value) {
      return ifTrue(family, qualifier, operator, Objects.requireNonNull(value, "value"));
    }

    /** Asks that a filter keep some of the row; in the place of a filter named before. */
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

    /** Has the conditions look at versions from a timestamp, inclusive, to another, exclusive. */
    public Builder setTimeRange(long minTimestamp, long maxTimestamp) {
      Query.checkTimeRange(minTimestamp, maxTimestamp);
      this.minTimestamp = minTimestamp;
      this.maxTimestamp = maxTimestamp;
      return this;
    }

    /**
     * Returns the change.
     *
     * @throws IllegalArgumentException if no condition was named, or the mutation is of another row
     */
    public CheckAndMutate build(Mutation mutation) {
      return build(new RowMutations(row).add(mutation));
    }

    /**
     * Returns the change.
     *
     * @throws IllegalArgumentException if no condition was named, or the mutations are of another
     *     row or there are none
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
