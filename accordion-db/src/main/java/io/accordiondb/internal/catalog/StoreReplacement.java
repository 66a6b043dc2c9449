// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.catalog;

import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.region.QuietStores;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.Store;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Closes stores to writers, lets them be replaced or dropped, and retires them; if that fails, it
 * opens them again. Does the like for regions that get more families. After the change it allocates
 * no object, because memory may have run out and writers would wait for stores that stay closed.
 */
final class StoreReplacement {
  private StoreReplacement() {}

  /** Runs an action while stores are closed to writers, and opens them again. */
  static void pause(List<Store> stores, Consumer<Runnable> exclusively, IoRunnable action)
      throws IOException {
    try {
      exclusively.accept(() -> stores.forEach(Store::markClosed));
      QuietStores.run(stores, action);
    } finally {
      reopenUnlessRetired(stores);
    }
  }

  /** Runs a change while stores are closed to writers, and retires them unless it fails. */
  static void run(List<Store> stores, Consumer<Runnable> exclusively, IoRunnable change)
      throws IOException {
    try {
      exclusively.accept(() -> stores.forEach(Store::markClosed));
      QuietStores.run(
          stores,
          () -> {
            try {
              change.run();
              retire(stores);
            } finally {
              reopenUnlessRetired(stores);
            }
          });
    } finally {
      reopenUnlessRetired(stores);
    }
  }

  /** Runs a change that replaces regions by such with more families, unless it fails. */
  static void extend(List<Region> regions, Consumer<Runnable> exclusively, IoRunnable change)
      throws IOException {
    boolean changed = false;
    try {
      exclusively.accept(() -> regions.forEach(Region::markIncomplete));
      change.run();
      changed = true;
    } finally {
      for (int i = 0; i < regions.size() && !changed; i++) {
        regions.get(i).markComplete();
      }
    }
  }

  // All loops use an index, because an iterator is an object.
  private static void retire(List<Store> stores) {
    for (int i = 0; i < stores.size(); i++) {
      stores.get(i).retire();
    }
  }

  private static void reopenUnlessRetired(List<Store> stores) {
    for (int i = 0; i < stores.size(); i++) {
      if (!stores.get(i).isRetired()) {
        stores.get(i).reopen();
      }
    }
  }
}
