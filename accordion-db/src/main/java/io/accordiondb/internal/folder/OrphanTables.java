// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.folder;

import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.KnownLogs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds sorted tables that no version of the manifest contains, because a crash came before they
 * were recorded.
 */
public final class OrphanTables {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanTables.class);
  private static final Pattern TABLE_FILE = Pattern.compile("(\\d{12})\\.sst");

  private OrphanTables() {}

  /**
   * Removes files that a crash has left. All parts are open now, so the version is known to be
   * whole.
   */
  public static void clear(Storage storage, Version version, KnownLogs logs) throws IOException {
    if (logs.highest() > 0) {
      delete(storage, version);
    } else {
      // A manifest of an older version of this software does not prove that it is whole.
      putAside(storage, version);
    }
  }

  /** Deletes sorted tables that a crash has left and the version, which is whole, does not have. */
  public static void delete(Storage storage, Version version) throws IOException {
    for (String name : orphans(storage, version)) {
      LOG.info("deleting {}, which the database does not use", name);
      storage.delete(StoreFiles.DIRECTORY + "/" + name);
    }
  }

  /** Moves sorted tables that the version does not have to the folder that repairs use. */
  public static void putAside(Storage storage, Version version) throws IOException {
    for (String name : orphans(storage, version)) {
      LOG.warn("moving {}, which the database does not use, to {}", name, DatabaseFolder.LOST);
      storage.createDirectories(DatabaseFolder.LOST);
      storage.rename(StoreFiles.DIRECTORY + "/" + name, DatabaseFolder.LOST + "/" + name);
    }
  }

  private static List<String> orphans(Storage storage, Version version) throws IOException {
    Set<Long> known =
        version.files().stream().map(FileRecord::backingNumber).collect(Collectors.toSet());
    List<String> orphans = new ArrayList<>();
    for (String name : storage.list(StoreFiles.DIRECTORY)) {
      Matcher matcher = TABLE_FILE.matcher(name);
      if (matcher.matches() && !known.contains(Long.parseLong(matcher.group(1)))) {
        orphans.add(name);
      }
    }
    return orphans;
  }
}
