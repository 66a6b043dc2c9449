// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Several changes of one row, which are applied in one step and in their order. Not thread-safe.
 *
 * <p>An {@link Increment} or {@link Append} starts from the value that was stored before the step,
 * or from what an earlier increment or append of the same step has made of it.
 */
public final class RowMutations {
  private final byte[] row;
  private final List<Mutation> mutations = new ArrayList<>();
  private final List<Mutation> mutationsToRead = Collections.unmodifiableList(mutations);

  /** Creates changes of a row, none so far. */
  public RowMutations(byte[] row) {
    this.row = CellLimits.checkRow("mutation of a row", row);
  }

  /**
   * Adds a change.
   *
   * @throws IllegalArgumentException if it is of another row
   */
  public RowMutations add(Mutation mutation) {
    if (!Arrays.equals(row, Objects.requireNonNull(mutation, "mutation").row())) {
      throw new IllegalArgumentException(
          mutation.getClass().getSimpleName() + " is of another row than the mutations it joins");
    }
    mutations.add(mutation);
    return this;
  }

  /** Returns the row. */
  public byte[] row() {
    return row;
  }

  /** Returns the changes in the order in which they were added. */
  public List<Mutation> mutations() {
    return mutationsToRead;
  }
}
