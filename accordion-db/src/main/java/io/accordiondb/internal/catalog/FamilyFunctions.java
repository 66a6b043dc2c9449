// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.catalog;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.expiry.FilterRegistry;
import io.accordiondb.internal.merge.MergeRegistry;
import org.jspecify.annotations.Nullable;

/** Looks up the functions of the application that families refer to by name. Thread-safe. */
public final class FamilyFunctions {
  private final MergeRegistry merges;
  private final FilterRegistry filters;
  private volatile boolean mayBeMissing;

  private FamilyFunctions(MergeRegistry merges, FilterRegistry filters) {
    this.merges = merges;
    this.filters = filters;
  }

  /**
   * Returns the functions that the options of a database define.
   *
   * @throws IllegalArgumentException if a merge operator has the name of a built-in one
   */
  public static FamilyFunctions of(DatabaseOptions options) {
    return new FamilyFunctions(
        new MergeRegistry(options.mergeOperators()),
        new FilterRegistry(options.compactionFilters()));
  }

  /**
   * Checks the functions that the families of a table name, when the table is created or altered.
   *
   * @param before the table as it is; null if it is new
   * @throws IllegalArgumentException if a function is missing, or must not change
   */
  void check(@Nullable TableDescriptor before, TableDescriptor table) {
    if (!mayBeMissing) {
      merges.check(before, table);
      filters.check(before, table);
    }
  }

  /**
   * Lets tables that are created or altered name missing functions, too, as those that exist when a
   * database is opened do: their cells stay as they are until a process has the functions.
   */
  public void allowMissing() {
    mayBeMissing = true;
  }

  /** Returns the merge operators. */
  public MergeRegistry merges() {
    return merges;
  }

  /** Returns the compaction filters. */
  public FilterRegistry filters() {
    return filters;
  }
}
