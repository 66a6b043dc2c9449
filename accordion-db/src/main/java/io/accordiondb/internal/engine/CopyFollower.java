// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyProvider;
import io.accordiondb.RestorePoint;
import io.accordiondb.RollForward;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.history.CopyEnd;
import io.accordiondb.internal.history.LogApplication;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.time.Duration;

/** Makes the copy of a database follow the log of the original. */
public final class CopyFollower {
  private CopyFollower() {}

  /** See {@link RollForward#plan}. */
  public static RollForward.Plan plan(
      Storage copy, Storage log, RestorePoint point, DatabaseOptions options) throws IOException {
    KeyProvider keys = options.encryption().orElse(null);
    Storage plainCopy = DatabaseFolder.deciphered(copy, keys);
    Version version = DatabaseFolder.readWhole(plainCopy).version();
    CopyEnd.Plan plan =
        CopyEnd.of(plainCopy, version, point).planTo(DatabaseFolder.deciphered(log, keys), point);
    return new RollForward.Plan(plan.end(), plan.logHash());
  }

  /** See {@link RollForward#apply}. */
  public static long rollForward(
      Storage copy, Storage log, RestorePoint point, DatabaseOptions options) throws IOException {
    KeyProvider keys = options.encryption().orElse(null);
    Storage plainCopy = DatabaseFolder.deciphered(copy, keys);
    Storage plainLog = DatabaseFolder.deciphered(log, keys);
    // First check that the log leads there; nothing is written before.
    Version version = DatabaseFolder.readWhole(plainCopy).version();
    CopyEnd copied = CopyEnd.of(plainCopy, version, point);
    CopyEnd.Plan plan = copied.planTo(plainLog, point);
    long end = plan.end();
    if (end == copied.sequence()) {
      return end;
    }
    // The copy's own log is not kept, because its notes would have numbers that the original also
    // used.
    DatabaseOptions own =
        options.toBuilder()
            .createIfMissing(false)
            .readOnly(false)
            .logRetention(Duration.ZERO)
            .build();
    try (DatabaseEngine opened = DatabaseOpener.openToWrite(plainCopy, own)) {
      new LogApplication(opened, opened.writer(), version.tables())
          .apply(plainLog, copied.sequence(), end);
      // A clock that is behind that of the original must not date writes below what was applied.
      opened.clock().raiseFloor(plan.timeMillis());
    }
    return end;
  }
}
