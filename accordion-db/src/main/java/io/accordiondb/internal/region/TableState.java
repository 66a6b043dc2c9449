// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.TableDescriptor;
import java.util.List;
import java.util.stream.Stream;

/**
 * An open table at one moment: what it is called, how it is configured, and its regions. Immutable.
 *
 * @param tableId identity for ever; a table that is dropped and created again has another
 * @param descriptor name and families
 * @param regions its regions
 */
public record TableState(long tableId, TableDescriptor descriptor, RegionMap regions) {
  /** Returns the name of the table. */
  public String name() {
    return descriptor.name();
  }

  /** Returns all stores of all regions. */
  public List<Store> stores() {
    return storeStream().toList();
  }

  private Stream<Store> storeStream() {
    return regions.regions().stream().flatMap(region -> region.stores().stream());
  }
}
