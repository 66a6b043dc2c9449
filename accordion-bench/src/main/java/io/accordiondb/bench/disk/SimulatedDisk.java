// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.disk;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.FileStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The parameters of a simulated disk that is slower than the real one, for measurements. Immutable.
 *
 * <p>Reads have priority and wait for one another. A read costs the transfer of its bytes, and a
 * seek unless it continues where one of the last reads of its file ended. Written bytes go to a
 * buffer, which is emptied at the rate of the disk while there are no reads; writers wait when it
 * is full. Forcing a file to the device waits until the buffer is empty, and costs a seek.
 *
 * @param bytesPerSecond transfer rate in bytes per second, at least 1
 * @param seek duration of a seek, 0 to 10 s
 */
public record SimulatedDisk(long bytesPerSecond, Duration seek) {
  private static final Duration SEEK_MAX = Duration.ofSeconds(10);

  public SimulatedDisk {
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException(
          "disk rate is " + bytesPerSecond + " bytes a second, expected 1 or more");
    }
    if (seek.isNegative() || seek.compareTo(SEEK_MAX) > 0) {
      throw new IllegalArgumentException("seek takes " + seek + ", expected 0 to " + SEEK_MAX);
    }
  }

  /** Opens a database as if its folder, which is created if it is missing, lay on this disk. */
  public Database open(Path folder, DatabaseOptions options) throws IOException {
    return DatabaseEngine.open(new ThrottledStorage(new FileStorage(folder), this), options);
  }
}
