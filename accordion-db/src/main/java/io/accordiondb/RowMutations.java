// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Several changes of one row, which are applied atomically and in their order. Not thread-safe.
 *
 * <p>An {@link Increment} or {@link Append} starts from the stored value, or from the result of an
 * earlier increment or append of the same object.
 */
public final class RowMutations {
  private final byte[] row;
  private final List<Mutation> mutations = new ArrayList<>();
  private final List<Mutation> mutationsToRead = Collections.unmodifiableList(mutations);

  /**
   * Creates an object without changes for a row.
   *
   * @param row the row, 1 to 32,767 bytes; not copied
   */
  public RowMutations(byte[] row) {
    this.row = CellLimits.checkRow("mutation of a row", row);
  }

  /**
   * Adds a change.
   *
   * @param mutation the change; not copied
   * @return this
   * @throws IllegalArgumentException if it is of another row, or a {@link DeleteRange}
   */
  public RowMutations add(Mutation mutation) {
    if (mutation instanceof DeleteRange) {
      throw new IllegalArgumentException(
          "DeleteRange is of many rows, so it cannot join the mutations of one; use mutate()");
    }
    if (!Arrays.equals(row, Objects.requireNonNull(mutation, "mutation").row())) {
      throw new IllegalArgumentException(
          mutation.getClass().getSimpleName() + " is of another row than the mutations it joins");
    }
    mutations.add(mutation);
    return this;
  }

  /** {@return the row} */
  public byte[] row() {
    return row;
  }

  /** {@return the changes in the order in which they were added} */
  public List<Mutation> mutations() {
    return mutationsToRead;
  }
}
