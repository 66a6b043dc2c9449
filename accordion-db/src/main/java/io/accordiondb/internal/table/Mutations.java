// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Append;
import io.accordiondb.Cell;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.DeleteRange;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.Increment;
import io.accordiondb.Mutation;
import io.accordiondb.Put;
import io.accordiondb.WriteBatch;
import io.accordiondb.encoding.CellType;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the contents of puts and deletes: which cells they write and which versions they mean. */
public final class Mutations {
  private Mutations() {}

  /** Adds a put or delete, after looking up which versions it means. */
  public static void add(
      TableState table, Mutation mutation, TableWrites.Reading read, TableWrites.Target target)
      throws IOException {
    checkBatchable(mutation);
    if (!mustBeLookedUp(mutation)) {
      target.add(table, mutation);
      return;
    }
    Region region = table.regions().regionOf(mutation.row());
    target.addRow(mutation.row());
    for (Cell cell : mutation.cells()) {
      MutationEncoder.checkMarker(
          table.store(region, cell.family()), cell.type(), cell.timestamp());
      Cell resolved = isNewestVersion(cell) ? newestVersion(cell, read) : cell;
      if (resolved != null) {
        target.add(table, table.store(region, cell.family()), resolved);
      }
    }
  }

  /** Returns the strongest durability that any of several changes of a row requests. */
  static Durability strongest(DatabaseOptions options, List<? extends Mutation> mutations) {
    Durability strongest = Durability.SKIP;
    for (Mutation mutation : mutations) {
      strongest = stronger(options, strongest, mutation);
    }
    return strongest;
  }

  /** Returns the strongest durability that any change of a batch requests. */
  public static Durability strongestOf(DatabaseOptions options, List<WriteBatch.Entry> writes) {
    Durability strongest = Durability.SKIP;
    for (WriteBatch.Entry write : writes) {
      strongest = stronger(options, strongest, write.mutation());
    }
    return strongest;
  }

  private static Durability stronger(DatabaseOptions options, Durability least, Mutation mutation) {
    Durability asked = mutation.durability();
    Durability durability = asked == null ? options.durability() : asked;
    return durability.compareTo(least) > 0 ? durability : least;
  }

  /**
   * Throws an exception for a mutation that cannot be part of a batch: one that needs a read first,
   * and a put or a merge without columns.
   */
  static void checkBatchable(Mutation mutation) {
    if (mutation instanceof Increment || mutation instanceof Append) {
      throw new IllegalArgumentException(
          mutation.getClass().getSimpleName()
              + " has a method of its own and cannot be part of a batch");
    }
    boolean needsNoColumn = mutation instanceof Delete || mutation instanceof DeleteRange;
    if (!needsNoColumn && mutation.cells().isEmpty()) {
      String name = mutation instanceof Put ? "put" : "merge";
      throw new IllegalArgumentException(
          "the " + name + " has no column; add one with addColumn()");
    }
  }

  /**
   * Returns whether a mutation deletes the newest version of a column, which must be looked up
   * first.
   */
  static boolean mustBeLookedUp(Mutation mutation) {
    if (mutation instanceof Delete) {
      for (Cell cell : mutation.cells()) {
        if (isNewestVersion(cell)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isNewestVersion(Cell cell) {
    return cell.type() == CellType.DELETE && cell.timestamp() == Mutation.LATEST_TIMESTAMP;
  }

  private static @Nullable Cell newestVersion(Cell marker, TableWrites.Reading read)
      throws IOException {
    Cell newest =
        read.get(new Get(marker.row()).addColumn(marker.family(), marker.qualifier()))
            .cell(marker.family(), marker.qualifier());
    return newest == null
        ? null
        : new Cell(
            marker.row(),
            marker.family(),
            marker.qualifier(),
            read.written(newest),
            CellType.DELETE,
            marker.value());
  }
}
