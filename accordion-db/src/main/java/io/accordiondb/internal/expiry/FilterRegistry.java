// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.expiry;

import io.accordiondb.CompactionFilter;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.TableDescriptor;
import io.accordiondb.retention.CellExpiry;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The compaction filters of a database, and how often they have failed. Thread-safe. */
public final class FilterRegistry {
  private final Map<String, CompactionFilter> filters;
  private final FilterFailures failures = new FilterFailures();

  /** Creates a registry of filters by name. */
  public FilterRegistry(Map<String, CompactionFilter> filters) {
    this.filters = filters;
  }

  /** Returns the expiry rule of a family's filter; null if the family has none. */
  public @Nullable CellExpiry of(String table, FamilyDescriptor family) {
    String name = family.compactionFilter();
    if (name == null) {
      return null;
    }
    CompactionFilter filter = filters.get(name);
    if (filter == null) {
      failures.noteMissing(name, table, family.name());
    }
    return new FamilyFilter(name, filter, table, family.name(), family.filtersReads(), failures);
  }

  /**
   * Checks the filters of a table that is created or altered.
   *
   * @param before the table as it is; null if it is new
   * @throws IllegalArgumentException if a family names a filter that does not exist, and did not
   *     name it before
   */
  public void check(@Nullable TableDescriptor before, TableDescriptor table) {
    for (FamilyDescriptor family : table.families()) {
      FamilyDescriptor old = before == null ? null : before.family(family.name());
      String name = family.compactionFilter();
      boolean isNew = old == null || !Objects.equals(old.compactionFilter(), name);
      if (name != null && isNew && !filters.containsKey(name)) {
        throw new IllegalArgumentException(
            "family "
                + family.name()
                + " names compaction filter "
                + name
                + ", which is not among those of the database: "
                + filters.keySet());
      }
    }
  }

  /** Returns what has failed. */
  public FilterFailures failures() {
    return failures;
  }
}
