// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.inspect;

import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.Version;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the names of the table and the family of a store, or their numbers if the names are
 * unknown.
 */
record StoreNames(Version version) {
  String table(long regionId) {
    TableRecord table = tableOf(regionId);
    return table == null ? "region " + regionId : table.name();
  }

  String family(long regionId, int familyId) {
    TableRecord table = tableOf(regionId);
    if (table != null) {
      for (FamilyRecord family : table.families()) {
        if (family.familyId() == familyId) {
          return family.name();
        }
      }
    }
    return "family " + familyId;
  }

  private @Nullable TableRecord tableOf(long regionId) {
    RegionRecord region = version.region(regionId);
    return region == null ? null : version.table(region.tableId());
  }
}
