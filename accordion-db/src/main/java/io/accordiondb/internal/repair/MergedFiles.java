// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.repair;

import io.accordiondb.internal.manifest.FileOwner;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.FileView;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.manifest.VersionEdit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Hides files whose cells a compaction has written into others, in families with a merge operator,
 * where operands in both would count twice. Such a file still exists if a copy of the table,
 * another region or a reader needed it, or if a crash came before its deletion. If the crash came
 * before the last file of the compaction, the files that it has written are hidden instead.
 */
final class MergedFiles {
  private static final byte[] NO_BOUND = {};

  private Version version;

  private MergedFiles(Version version) {
    this.version = version;
  }

  /**
   * Returns the version in which no file shows rows that are in one of its successors.
   *
   * @param owners what the sound files of the version record, by their numbers
   */
  static Version hide(Version version, Map<Long, FileOwner> owners) {
    MergedFiles files = new MergedFiles(version);
    owners.values().stream().filter(owner -> !owner.isOfPart()).forEach(files::hideInputsOf);
    owners.forEach(
        (number, owner) -> {
          // If a file is missing, the manifest no longer named it: the compaction was completed.
          if (owner.isOfPart() && owner.allMerged(version::hasBacking) && files.shows(owner)) {
            files.hidePart(number);
          }
        });
    return files.version;
  }

  /** Hides a file that a compaction has written before it ended. */
  private void hidePart(long number) {
    for (FileRecord file : List.copyOf(version.files())) {
      if (file.backingNumber() == number) {
        apply(new VersionEdit.RemoveFile(file.fileNumber()));
      }
    }
  }

  /** Returns whether an input still shows rows that are in an output. */
  private boolean shows(FileOwner output) {
    MergedFiles without = new MergedFiles(version);
    without.hideInputsOf(output);
    return without.version != version;
  }

  private void hideInputsOf(FileOwner output) {
    if (output.merged().isEmpty()) {
      return;
    }
    for (FileRecord file : List.copyOf(version.files())) {
      RegionRecord region = version.region(file.regionId());
      if (region != null
          && region.tableId() == output.region().tableId()
          && output.merged().contains(file.backingNumber())) {
        TableRecord table = Objects.requireNonNull(version.table(region.tableId()));
        if (OwnerAdoption.merges(table, file.familyId())) {
          hide(file, region, output.region());
        }
      }
    }
  }

  /** Hides the rows of a region in a file that another region shows. */
  private void hide(FileRecord file, RegionRecord region, RegionRecord hidden) {
    FileView view = file.view();
    FileView all =
        (view == null ? new FileView(file.backingNumber(), NO_BOUND, NO_BOUND, 0) : view)
            .within(region.startKey(), region.endKey());
    List<FileView> left = new ArrayList<>();
    if (hidden.startKey().length > 0) {
      left.add(all.within(NO_BOUND, hidden.startKey()));
    }
    if (hidden.endKey().length > 0) {
      left.add(all.within(hidden.endKey(), NO_BOUND));
    }
    left.removeIf(MergedFiles::isEmpty);
    if (left.contains(all)) {
      return;
    }
    apply(new VersionEdit.RemoveFile(file.fileNumber()));
    for (FileView part : left) {
      long number = version.nextNumber();
      apply(new VersionEdit.SetNextNumber(number + 1));
      apply(
          new VersionEdit.AddFile(
              new FileRecord(
                  number,
                  file.regionId(),
                  file.familyId(),
                  file.bytes(),
                  file.minSequence(),
                  file.maxSequence(),
                  file.level(),
                  part)));
    }
  }

  private static boolean isEmpty(FileView view) {
    return view.endKey().length > 0 && Arrays.compareUnsigned(view.startKey(), view.endKey()) >= 0;
  }

  private void apply(VersionEdit edit) {
    version = version.apply(List.of(edit));
  }
}
