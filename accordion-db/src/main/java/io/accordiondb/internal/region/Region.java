// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.internal.manifest.RegionRecord;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range of rows of one table, with a store for each family. When the families of a table change,
 * it gets new regions over the same stores. Thread-safe.
 */
public final class Region {
  private final RegionRecord record;
  private final List<Store> stores;

  /** Whether the table is about to get, or has got, a family of which this has no store. */
  private volatile boolean incomplete;

  /** Creates a region. The stores must be in the order of the families' names. */
  public Region(RegionRecord record, Collection<Store> stores) {
    this.record = record;
    this.stores =
        stores.stream().sorted((a, b) -> Arrays.compareUnsigned(a.family(), b.family())).toList();
  }

  /** Returns the identity and the range of rows. */
  public RegionRecord record() {
    return record;
  }

  /** Returns the stores in the order of the families' names. */
  public List<Store> stores() {
    return stores;
  }

  /**
   * Throws if the table has a family of which the region has no store. For readers of all families,
   * after they have claimed their read point, and for writes to all families, while they are
   * committed: neither must see or hide a part of a write to old and new families.
   */
  public void checkComplete() throws StoreClosedException {
    if (incomplete) {
      throw new StoreClosedException();
    }
  }

  /** Marks the region before its table gets a family. */
  public void markIncomplete() {
    incomplete = true;
  }

  /** Reverts {@link #markIncomplete}, because the intended change has failed. */
  public void markComplete() {
    incomplete = false;
  }

  /** Returns the store of a family, or null. */
  public @Nullable Store store(byte[] family) {
    // No iterator: each read of a value would make one.
    for (int i = 0; i < stores.size(); i++) {
      Store store = stores.get(i);
      if (Arrays.equals(store.family(), family)) {
        return store;
      }
    }
    return null;
  }

  /** Returns the first row of the range; empty when it begins before all rows. */
  public byte[] startKey() {
    return record.startKey();
  }

  /** Returns the row at which the range ends, exclusive; empty when it ends behind all rows. */
  public byte[] endKey() {
    return record.endKey();
  }
}
