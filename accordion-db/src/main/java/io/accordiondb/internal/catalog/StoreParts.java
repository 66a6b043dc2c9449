// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.catalog;

import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.retention.RangeTombstones;
import java.util.List;

/**
 * The persistent parts of a store.
 *
 * @param files its sorted tables
 * @param ranges the range tombstones that apply to the tables
 */
record StoreParts(List<FileRecord> files, RangeTombstones ranges) {
  /** The parts of a store that has nothing on disk. */
  static final StoreParts NONE = new StoreParts(List.of(), RangeTombstones.NONE);

  /** Returns the parts that a version records for a store. */
  static StoreParts of(Version version, StoreId store) {
    return new StoreParts(
        version.filesOf(store.regionId(), store.familyId()),
        version.rangeTombstones(store.regionId(), store.familyId()));
  }
}
