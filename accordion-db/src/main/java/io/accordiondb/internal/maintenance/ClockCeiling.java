// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.VersionEdit;
import java.io.IOException;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a time in the manifest that is ahead of the timestamps that writes get. After a crash, with
 * a clock that was set back, the database thereby knows which timestamps it can have given out. A
 * new log file records the time, too; so this only commits while writes go on for long in one file.
 */
public final class ClockCeiling {
  private static final Logger LOG = LoggerFactory.getLogger(ClockCeiling.class);

  private final Manifest manifest;
  private final LongPredicate isEnough;
  private final LongSupplier ceiling;

  /**
   * Creates an object that keeps the time.
   *
   * @param isEnough whether a recorded time is far enough ahead
   * @param ceiling the time to record
   */
  public ClockCeiling(Manifest manifest, LongPredicate isEnough, LongSupplier ceiling) {
    this.manifest = manifest;
    this.isEnough = isEnough;
    this.ceiling = ceiling;
  }

  /** Raises the recorded time if writes come near it. Called each second, by one thread. */
  public void keep() {
    if (isEnough.test(manifest.version().clockCeiling())) {
      return;
    }
    try {
      manifest.commitSilently(List.of(new VersionEdit.SetClockCeiling(ceiling.getAsLong())));
    } catch (IOException | RuntimeException e) {
      LOG.debug("the manifest takes no time now; a later attempt makes up for it", e);
    }
  }
}
