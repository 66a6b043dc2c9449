// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.catalog;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.expiry.FilterRegistry;
import io.accordiondb.internal.merge.MergeRegistry;
import org.jspecify.annotations.Nullable;

/** Looks up the functions of the application that families refer to by name. Thread-safe. */
public record FamilyFunctions(MergeRegistry merges, FilterRegistry filters) {
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
    merges.check(before, table);
    filters.check(before, table);
  }
}
