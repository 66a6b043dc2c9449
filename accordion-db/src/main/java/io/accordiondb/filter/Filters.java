// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.filter;

import io.accordiondb.Cell;
import io.accordiondb.CompareOperator;
import io.accordiondb.Filter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** Creates filters, and composes them. */
public final class Filters {
  private static final byte[] NO_BYTES = {};

  private Filters() {}

  /** Returns a copy, because the caller may change its array while a scan is open. */
  private static byte[] copyOf(byte[] bytes, String name) {
    return Objects.requireNonNull(bytes, name).clone();
  }

  /**
   * Keeps rows for which {@code row OPERATOR bound} holds.
   *
   * @param operator how the stored bytes compare with the given ones
   * @param bound the bytes to compare with
   * @return the filter
   */
  public static Filter row(CompareOperator operator, byte[] bound) {
    Objects.requireNonNull(operator, "operator");
    byte[] own = copyOf(bound, "bound");
    return new RowFilter(row -> operator.test(row, own));
  }

  /**
   * Keeps rows that begin with a prefix.
   *
   * @param prefix the prefix; an empty one keeps everything
   * @return the filter
   */
  public static Filter rowPrefix(byte[] prefix) {
    byte[] own = copyOf(prefix, "prefix");
    return new RowFilter(row -> startsWith(row, own));
  }

  /**
   * Keeps cells for whose family {@code family OPERATOR bound} holds.
   *
   * @param operator how the stored bytes compare with the given ones
   * @param bound the bytes to compare with
   * @return the filter
   */
  public static Filter family(CompareOperator operator, byte[] bound) {
    Objects.requireNonNull(operator, "operator");
    byte[] own = copyOf(bound, "bound");
    return cells(cell -> operator.test(cell.family(), own));
  }

  /**
   * Keeps cells for whose qualifier {@code qualifier OPERATOR bound} holds.
   *
   * @param operator how the stored bytes compare with the given ones
   * @param bound the bytes to compare with
   * @return the filter
   */
  public static Filter qualifier(CompareOperator operator, byte[] bound) {
    Objects.requireNonNull(operator, "operator");
    byte[] own = copyOf(bound, "bound");
    return cells(cell -> operator.test(cell.qualifier(), own));
  }

  /**
   * Keeps cells whose qualifier begins with a prefix.
   *
   * @param prefix the prefix; an empty one keeps everything
   * @return the filter
   */
  public static Filter qualifierPrefix(byte[] prefix) {
    byte[] own = copyOf(prefix, "prefix");
    return cells(cell -> startsWith(cell.qualifier(), own));
  }

  /**
   * Keeps cells for whose value {@code value OPERATOR bound} holds.
   *
   * @param operator how the stored bytes compare with the given ones
   * @param bound the bytes to compare with
   * @return the filter
   */
  public static Filter value(CompareOperator operator, byte[] bound) {
    Objects.requireNonNull(operator, "operator");
    byte[] own = copyOf(bound, "bound");
    return cells(cell -> operator.test(cell.value(), own));
  }

  /**
   * Keeps cells that have one of these timestamps.
   *
   * @param timestamps the timestamps to keep
   * @return the filter
   */
  public static Filter timestamps(Set<Long> timestamps) {
    Set<Long> wanted = Set.copyOf(timestamps);
    return cells(cell -> wanted.contains(cell.timestamp()));
  }

  /**
   * Keeps whole rows for which {@code value OPERATOR bound} holds for the newest value of a column,
   * which the query must select.
   *
   * @param missing whether rows without the column are kept
   * @param family the name of the family
   * @param qualifier the qualifier; may be empty
   * @param operator how the stored bytes compare with the given ones
   * @param bound the bytes to compare with
   * @return the filter
   */
  public static Filter singleColumnValue(
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      byte[] bound,
      MissingColumn missing) {
    byte[] ownFamily = copyOf(family, "family");
    byte[] ownQualifier = copyOf(qualifier, "qualifier");
    Objects.requireNonNull(operator, "operator");
    byte[] own = copyOf(bound, "bound");
    Objects.requireNonNull(missing, "missing");
    return row -> {
      for (Cell cell : row) {
        if (cell.isOf(ownFamily, ownQualifier)) {
          return operator.test(cell.value(), own) ? row : List.of();
        }
      }
      return missing == MissingColumn.KEEP_ROW ? row : List.of();
    };
  }

  /**
   * Keeps the first cell of each row.
   *
   * @return the filter
   */
  public static Filter firstKeyOnly() {
    return row -> row.subList(0, 1);
  }

  /**
   * Keeps all cells, without their values.
   *
   * @return the filter
   */
  public static Filter keyOnly() {
    return row -> {
      List<Cell> keys = new ArrayList<>(row.size());
      for (Cell cell : row) {
        keys.add(
            new Cell(
                cell.row(),
                cell.family(),
                cell.qualifier(),
                cell.timestamp(),
                cell.type(),
                NO_BYTES,
                cell.tags()));
      }
      return keys;
    };
  }

  /**
   * Keeps the cells that all filters keep; each filter receives the cells that the one before it
   * kept.
   *
   * @param filters the filters, in the order in which they are applied
   * @return the filter
   */
  public static Filter and(Filter... filters) {
    List<Filter> all = List.of(filters);
    return new Filter() {
      @Override
      public boolean mayKeepRow(byte[] row) {
        return all.stream().allMatch(filter -> filter.mayKeepRow(row));
      }

      @Override
      public List<Cell> keep(List<Cell> cells) {
        List<Cell> kept = cells;
        for (Filter filter : all) {
          if (kept.isEmpty()) {
            return kept;
          }
          kept = filter.keep(kept);
        }
        return kept;
      }
    };
  }

  /**
   * Keeps the cells that any of the filters keeps. They must not make new cells.
   *
   * @param filters the filters, in the order in which they are applied
   * @return the filter
   */
  public static Filter or(Filter... filters) {
    List<Filter> any = List.of(filters);
    return new Filter() {
      @Override
      public boolean mayKeepRow(byte[] row) {
        return any.stream().anyMatch(filter -> filter.mayKeepRow(row));
      }

      @Override
      public List<Cell> keep(List<Cell> cells) {
        Set<Cell> kept = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Filter filter : any) {
          if (filter.mayKeepRow(cells.get(0).row())) {
            kept.addAll(filter.keep(cells));
          }
        }
        return cells.stream().filter(kept::contains).toList();
      }
    };
  }

  /**
   * Keeps the cells that a filter leaves out. It must not make new cells.
   *
   * @param filter the filter to invert
   * @return the filter
   */
  public static Filter not(Filter filter) {
    Objects.requireNonNull(filter, "filter");
    return cells -> {
      if (!filter.mayKeepRow(cells.get(0).row())) {
        return cells;
      }
      Set<Cell> left = Collections.newSetFromMap(new IdentityHashMap<>());
      left.addAll(filter.keep(cells));
      return cells.stream().filter(cell -> !left.contains(cell)).toList();
    };
  }

  private static Filter cells(Predicate<Cell> predicate) {
    return cells -> cells.stream().filter(predicate).toList();
  }

  private static boolean startsWith(byte[] bytes, byte[] prefix) {
    return bytes.length >= prefix.length
        && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }

  private record RowFilter(Predicate<byte[]> predicate) implements Filter {
    @Override
    public boolean mayKeepRow(byte[] row) {
      return predicate.test(row);
    }

    @Override
    public List<Cell> keep(List<Cell> cells) {
      return predicate.test(cells.get(0).row()) ? cells : List.of();
    }
  }
}
