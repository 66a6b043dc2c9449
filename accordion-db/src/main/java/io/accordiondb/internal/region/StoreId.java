// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

/** The permanent name of a store: one family of one region. */
public record StoreId(long regionId, int familyId) {
  @Override
  public String toString() {
    return "store " + regionId + "/" + familyId;
  }
}
