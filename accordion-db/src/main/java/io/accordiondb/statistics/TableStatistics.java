// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

import java.util.List;

/**
 * One table.
 *
 * @param name name of the table
 * @param regions number of its regions
 * @param stores its stores, region by region, families in the order of their names
 */
public record TableStatistics(String name, int regions, List<StoreStatistics> stores) {
  /**
   * Copies the collections, so that the record is immutable.
   *
   * @param name the name of the table
   * @param regions the number of regions
   * @param stores the stores, region by region
   */
  public TableStatistics {
    stores = List.copyOf(stores);
  }

  /** {@return the memory that its stores use, in bytes} */
  public long memoryBytes() {
    return stores.stream().mapToLong(store -> store.memory().usedBytes()).sum();
  }

  /** {@return the bytes of its sorted tables} */
  public long fileBytes() {
    return stores.stream().mapToLong(store -> store.files().bytes()).sum();
  }
}
