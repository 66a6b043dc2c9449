// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

import java.util.List;
import java.util.Map;

/**
 * A table as the manifest describes it. Immutable.
 *
 * @param id identity, which never changes
 * @param name what the table is called
 * @param regions number of its regions
 * @param files number of its sorted tables; one that several regions share counts once for each
 * @param bytes length of these
 * @param families its families
 */
public record TableOutline(
    long id, String name, int regions, int files, long bytes, List<Family> families) {
  /**
   * A family of a table. Immutable.
   *
   * @param id identity within the table, which never changes
   * @param name what the family is called
   * @param attributes how it is configured, by name, in the order of the names
   */
  public record Family(int id, String name, Map<String, String> attributes) {}
}
