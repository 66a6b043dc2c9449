// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.catalog;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.region.Flusher;
import io.accordiondb.internal.region.Store;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes the families of tables. Thread-safe.
 *
 * <p>A replay of the log goes by the last rules of a family. If these keep fewer versions than
 * those by which a cell was written, it would drop a version in favour of a newer one whose delete
 * follows in the log. So before a family keeps fewer versions, its memory is flushed. Readers and
 * writers wait only while the cells that were written meanwhile are flushed.
 */
public final class TableAlterations {
  private final Catalog catalog;
  private final Flusher flusher;

  public TableAlterations(Catalog catalog, Flusher flusher) {
    this.catalog = catalog;
    this.flusher = flusher;
  }

  /** Changes the families of a table to those of a descriptor. */
  public void alter(TableDescriptor next) throws IOException {
    for (Store store : shortened(next)) {
      flusher.flush(store);
    }
    catalog.whileUnchanged(
        () -> {
          List<Store> shortened = shortened(next);
          if (shortened.isEmpty()) {
            catalog.applyAlteration(next);
          } else {
            catalog.withStoresPaused(
                shortened,
                () -> {
                  flusher.empty(shortened);
                  catalog.applyAlteration(next);
                });
          }
        });
  }

  /** Returns the stores of the families that will keep fewer versions. */
  private List<Store> shortened(TableDescriptor next) throws IOException {
    return catalog.get(next.name()).stores().stream()
        .filter(store -> keepsFewer(next.family(store.descriptor().name()), store.descriptor()))
        .toList();
  }

  private static boolean keepsFewer(@Nullable FamilyDescriptor next, FamilyDescriptor old) {
    return next != null && next.versionRules().maxVersions() < old.versionRules().maxVersions();
  }
}
