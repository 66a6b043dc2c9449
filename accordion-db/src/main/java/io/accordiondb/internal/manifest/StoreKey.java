// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

/**
 * Names a file of a store, or, with number 0, the store itself. Ordered by region, then family,
 * then number. Immutable.
 */
record StoreKey(long regionId, int familyId, long fileNumber) implements Comparable<StoreKey> {
  /** Returns the key of a store, which is below those of its files. */
  static StoreKey of(long regionId, int familyId) {
    return new StoreKey(regionId, familyId, 0);
  }

  /** Returns a key behind those of the files of a store. */
  static StoreKey behind(long regionId, int familyId) {
    return new StoreKey(regionId, familyId, Long.MAX_VALUE);
  }

  /** Returns a key before those of all stores of a region. */
  static StoreKey firstOf(long regionId) {
    return new StoreKey(regionId, Integer.MIN_VALUE, 0);
  }

  @Override
  public int compareTo(StoreKey other) {
    int order = Long.compare(regionId, other.regionId);
    if (order == 0) {
      order = Integer.compare(familyId, other.familyId);
    }
    return order != 0 ? order : Long.compare(fileNumber, other.fileNumber);
  }
}
