// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.repair;

import io.accordiondb.CorruptionException;
import io.accordiondb.VerificationReport.Problem;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.manifest.RegionNames;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.KeptLogs;
import io.accordiondb.internal.wal.KeptLogsVerifier;
import java.io.IOException;
import java.util.List;

/**
 * Puts damaged files of the kept log aside. The database opens without them. Change feeds and
 * restores find a gap by the links of the log.
 */
final class KeptLogRepair {
  private final Storage storage;
  private final List<Problem> lost;
  private final List<String> notes;

  KeptLogRepair(Storage storage, List<Problem> lost, List<String> notes) {
    this.storage = storage;
    this.lost = lost;
    this.notes = notes;
  }

  /**
   * Checks all files, after the log is sound, because that says where the newest kept file ends. A
   * file that cannot be read now stays.
   */
  void repair() {
    try {
      KeptLogs kept = KeptLogs.asTheyAre(storage);
      for (CorruptionException damage :
          new KeptLogsVerifier(storage, kept).problems(NewerLogs::check)) {
        for (long number : kept.numbers()) {
          String name = String.valueOf(kept.nameOf(number));
          if (storage.path(name).equals(damage.file())) {
            lose(name, damage, "change feeds and restores lack its writes");
          }
        }
      }
      repairNames();
    } catch (IOException e) {
      notes.add("the kept log was not checked: " + e.getMessage());
    }
  }

  private void repairNames() throws IOException {
    try {
      RegionNames.verify(storage);
    } catch (CorruptionException e) {
      lose(RegionNames.NAME, e, "change feeds do not know the names of dropped tables");
    }
  }

  private void lose(String name, CorruptionException damage, String effect) throws IOException {
    String target = DatabaseFolder.LOST + name.substring(KeptLogs.DIRECTORY.length());
    storage.createDirectories(DatabaseFolder.LOST);
    storage.syncDirectory("");
    storage.rename(name, target);
    storage.syncDirectory(DatabaseFolder.LOST);
    storage.syncDirectory(KeptLogs.DIRECTORY);
    lost.add(
        new Problem(
            storage.path(name), damage.getMessage() + "; " + effect + "; it is kept as " + target));
  }
}
