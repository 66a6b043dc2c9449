// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.VersionEdit;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a time in the manifest that is ahead of the timestamps that writes get. After a crash, with
 * a clock that was set back, the database knows from it which timestamps it can have given out. A
 * new log file records the time, too; so this only commits while writes go on for long in one file.
 */
public final class ClockCeiling {
  private static final Logger LOG = LoggerFactory.getLogger(ClockCeiling.class);

  private final Manifest manifest;
  private final DatabaseClock clock;
  private final Executor executor;

  /**
   * Creates an object that keeps the time.
   *
   * @param executor runs commits, which wait for the device
   */
  public ClockCeiling(Manifest manifest, DatabaseClock clock, Executor executor) {
    this.manifest = manifest;
    this.clock = clock;
    this.executor = executor;
  }

  /** Has the recorded time raised if writes come near it. Called each second, by one thread. */
  public void keep() {
    if (!isEnough()) {
      executor.execute(this::raise);
    }
  }

  private boolean isEnough() {
    return clock.isBelow(manifest.version().clockCeiling());
  }

  private void raise() {
    if (isEnough()) {
      return;
    }
    try {
      manifest.commitSilently(List.of(new VersionEdit.SetClockCeiling(clock.ceiling())));
    } catch (IOException | RuntimeException e) {
      LOG.debug("the manifest takes no time now; a later attempt makes up for it", e);
    }
  }
}
