// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.ManifestChange;
import java.util.List;

/**
 * Begins the changes of the manifest that record sorted tables which were just written. Tables that
 * are not recorded are released and deleted, whatever fails. Thread-safe.
 */
public final class FileRecorder {
  private final StoreFiles files;
  private final Manifest manifest;

  /** Creates a recorder of tables that {@code files} has written. */
  public FileRecorder(StoreFiles files, Manifest manifest) {
    this.files = files;
    this.manifest = manifest;
  }

  /** Begins a change; unless its commit records the tables, its end gives them up. */
  public ManifestChange begin(List<StoreFile> written) {
    ManifestChange change = null;
    try {
      change = manifest.change(() -> giveUp(written));
      return change;
    } finally {
      if (change == null) {
        giveUp(written);
      }
    }
  }

  /**
   * Returns what reports new tables of a store and then installs them, for a commit. Once they are
   * installed, a compaction may replace them at once, and report that they are deleted.
   */
  public Runnable installation(Store store, List<StoreFile> written, Runnable install) {
    return () -> {
      files.tellAdded(store, written);
      install.run();
    };
  }

  private void giveUp(List<StoreFile> written) {
    Store.release(written);
    List<Long> numbers = written.stream().map(StoreFile::fileNumber).toList();
    giveUp(files, manifest, numbers);
  }

  /** Gives up tables whose recording has failed, or was not tried. */
  public static void giveUp(StoreFiles files, Manifest manifest, List<Long> numbers) {
    // If the manifest has failed, it may have recorded the tables.
    boolean isCertain = manifest.failure() == null;
    files.giveUp(numbers, isCertain);
    if (!isCertain && manifest.failure() == null) {
      // It was resumed just now, without them, and what then deletes tables may not know of them.
      files.deleteGivenUp(numbers);
    }
  }
}
