// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.HistoryLostException;
import io.accordiondb.TableDescriptor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An open table at one moment: its name, its configuration and its regions. Immutable.
 *
 * @param tableId the identity of the table, which never changes; a table that is dropped and
 *     created again has a new one
 * @param descriptor name and families
 * @param regions its regions, which cover all rows
 * @param loss the last loss of a family that the table no longer has, if readers of an earlier
 *     moment may be left
 */
public record TableState(
    long tableId, TableDescriptor descriptor, RegionMap regions, @Nullable Loss loss) {
  /**
   * The loss of a family that was dropped.
   *
   * @param sequence the sequence number before which nothing is known of it
   */
  public record Loss(String family, long sequence) {}

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

  /**
   * Throws if a reader of all families cannot be served. Each store must be asked as well.
   *
   * @param sequence the reader's read point
   * @throws HistoryLostException if a family was dropped since that moment
   */
  public void checkReadable(long sequence) throws HistoryLostException {
    if (loss != null && sequence < loss.sequence) {
      throw new HistoryLostException("table " + name() + ", family " + loss.family, sequence);
    }
  }

  /** Returns all stores of all regions. */
  public List<Store> stores() {
    return storeStream().toList();
  }

  private Stream<Store> storeStream() {
    return regions.regions().stream().flatMap(region -> region.stores().stream());
  }
}
