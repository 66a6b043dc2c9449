// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.retention.RangeTombstones;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The change of a store's sorted tables by a flush or a compaction. Immutable.
 *
 * @param added new files
 * @param removed numbers of files that leave the store
 * @param addedRanges range tombstones that apply to the files from now on
 * @param removedRanges range tombstones that no longer cover any cell
 */
public record FileChange(
    List<StoreFile> added,
    Set<Long> removed,
    RangeTombstones addedRanges,
    RangeTombstones removedRanges) {

  /** Returns an exchange of files. */
  public static FileChange ofFiles(List<StoreFile> added, Set<Long> removed) {
    return new FileChange(added, removed, RangeTombstones.NONE, RangeTombstones.NONE);
  }

  /** Returns the edits that record the change in the manifest. */
  public List<VersionEdit> edits(StoreId store) {
    List<VersionEdit> edits = new ArrayList<>();
    added.forEach(file -> edits.add(new VersionEdit.AddFile(file.record())));
    for (long number : removed) {
      edits.add(new VersionEdit.RemoveFile(number));
    }
    if (!addedRanges.isEmpty()) {
      edits.add(
          new VersionEdit.AddRangeTombstones(store.regionId(), store.familyId(), addedRanges));
    }
    if (!removedRanges.isEmpty()) {
      edits.add(
          new VersionEdit.RemoveRangeTombstones(store.regionId(), store.familyId(), removedRanges));
    }
    return edits;
  }
}
