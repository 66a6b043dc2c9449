// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one row that a query has found, in the order of family and qualifier, and newest
 * first within a column. Immutable.
 */
public final class Result {
  /** The result without cells. */
  public static final Result EMPTY = new Result(List.of());

  private final List<Cell> cells;

  /**
   * Creates a result of the cells of one row, in order.
   *
   * @param cells the cells of one row; the list is copied, the cells are not
   */
  public Result(List<Cell> cells) {
    this.cells = List.copyOf(cells);
  }

  /** {@return whether there is no cell, which means that the row does not exist} */
  public boolean isEmpty() {
    return cells.isEmpty();
  }

  /**
   * {@return the row}
   *
   * @throws IllegalStateException if the result is empty
   */
  public byte[] row() {
    if (cells.isEmpty()) {
      throw new IllegalStateException("an empty result has no row; see isEmpty()");
    }
    return cells.get(0).row();
  }

  /** {@return all cells} */
  public List<Cell> cells() {
    return cells;
  }

  /**
   * {@return the newest value of a column, or null if there is none}
   *
   * @param family the name of the family
   * @param qualifier the qualifier; may be empty
   */
  public byte @Nullable [] value(byte[] family, byte[] qualifier) {
    Cell cell = cell(family, qualifier);
    return cell == null ? null : cell.value();
  }

  /**
   * {@return the newest cell of a column, or null if there is none}
   *
   * @param family the name of the family
   * @param qualifier the qualifier; may be empty
   */
  public @Nullable Cell cell(byte[] family, byte[] qualifier) {
    Objects.requireNonNull(family, "family");
    Objects.requireNonNull(qualifier, "qualifier");
    for (Cell cell : cells) {
      if (cell.isOf(family, qualifier)) {
        return cell;
      }
    }
    return null;
  }

  /**
   * {@return whether there is a cell of a column}
   *
   * @param family the name of the family
   * @param qualifier the qualifier; may be empty
   */
  public boolean containsColumn(byte[] family, byte[] qualifier) {
    return cell(family, qualifier) != null;
  }

  /**
   * {@return the cells of a column, newest first}
   *
   * @param family the name of the family
   * @param qualifier the qualifier; may be empty
   */
  public List<Cell> columnCells(byte[] family, byte[] qualifier) {
    Objects.requireNonNull(family, "family");
    Objects.requireNonNull(qualifier, "qualifier");
    List<Cell> found = new ArrayList<>();
    for (Cell cell : cells) {
      if (cell.isOf(family, qualifier)) {
        found.add(cell);
      }
    }
    return found;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Result that && cells.equals(that.cells);
  }

  @Override
  public int hashCode() {
    return cells.hashCode();
  }

  @Override
  public String toString() {
    return cells.toString();
  }
}
