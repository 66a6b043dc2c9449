// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.TableDescriptor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * An open table at one moment: its name, its configuration and its regions. Immutable.
 *
 * @param tableId the identity of the table, which never changes; a table that is dropped and
 *     created again has a new one
 * @param descriptor name and families
 * @param regions its regions, which cover all rows
 */
public record TableState(long tableId, TableDescriptor descriptor, RegionMap regions) {
  /** Returns the name of the table. */
  public String name() {
    return descriptor.name();
  }

  /**
   * Returns the store of a family in one of the table's regions.
   *
   * @throws FamilyNotFoundException if the table has no such family
   */
  public Store store(Region region, byte[] family) throws FamilyNotFoundException {
    Store store = region.store(family);
    if (store == null) {
      throw new FamilyNotFoundException(
          name(), new String(family, StandardCharsets.ISO_8859_1), descriptor.familyNames());
    }
    return store;
  }

  /** Returns all stores of all regions. */
  public List<Store> stores() {
    return storeStream().toList();
  }

  private Stream<Store> storeStream() {
    return regions.regions().stream().flatMap(region -> region.stores().stream());
  }
}
