// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.catalog;

import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.manifest.VersionEdit;
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

  /**
   * Adds what records these parts as those of a store that has none yet.
   *
   * @param flushed cells up to this sequence number are on disk; 0 for none
   */
  void addTo(List<VersionEdit> edits, StoreId store, long flushed) {
    if (!ranges.isEmpty()) {
      edits.add(new VersionEdit.AddRangeTombstones(store.regionId(), store.familyId(), ranges));
    }
    files.forEach(file -> edits.add(new VersionEdit.AddFile(file)));
    if (flushed > 0) {
      edits.add(new VersionEdit.SetFlushedSequence(store.regionId(), store.familyId(), flushed));
    }
  }
}
