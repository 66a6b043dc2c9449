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
 * A disk slower than the real one, for measurements: files are read and written as if they lay on
 * it. Immutable.
 *
 * <p>Reads go first. A read that does not go on where one of the last reads of its file ended costs
 * a seek, then the transfer of its bytes; reads wait for one another. Written bytes are taken by a
 * buffer, which is emptied at the disk's rate as far as reads leave it, and makes writers wait when
 * it is full; forcing a file to the device waits until the buffer is empty, and costs a seek.
 *
 * @param bytesPerSecond what the disk transfers; 1 or more
 * @param seek how long it takes to begin; 0 to 10 s
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
