// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import java.util.List;

/**
 * What an import reads. Immutable.
 *
 * @param table the table as the source describes it
 * @param units the files
 * @param exported whether the database's own export wrote the files; if not, HBase did
 */
record ImportSource(SourceTable table, List<ImportUnit> units, boolean exported) {
  /** Returns how many cells the files have. */
  long cells() {
    return units.stream().mapToLong(ImportUnit::cells).sum();
  }

  /** Returns the names of the families that have cells. */
  List<String> families() {
    return units.stream().map(ImportUnit::family).distinct().toList();
  }
}
