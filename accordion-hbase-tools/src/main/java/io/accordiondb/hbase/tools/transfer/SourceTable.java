// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.TableDescriptor;
import java.util.List;

/**
 * The table that a source of an import describes. Immutable.
 *
 * @param families its families
 * @param splits rows at which regions begin, but the first
 */
record SourceTable(List<FamilyDescriptor> families, List<byte[]> splits) {
  /** Returns the table under a name. */
  TableDescriptor named(String name) {
    TableDescriptor.Builder builder = TableDescriptor.builder(name);
    families.forEach(builder::family);
    return builder.build();
  }
}
