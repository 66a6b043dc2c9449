// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import com.sun.management.UnixOperatingSystemMXBean;
import io.accordiondb.DatabaseOptions;
import java.lang.management.ManagementFactory;
import java.util.function.IntPredicate;

/** Decides how many sorted tables a database keeps open. Called by one thread at a time. */
final class OpenFilesLimit implements IntPredicate {
  private static final long DEFAULT_MAX = 10_000;

  /** So few files are never too many, and the process is not asked what it may open. */
  private static final int DEFAULT_MIN = 32;

  /** The rest of what a process may open is for the log, the JVM and everybody else. */
  private static final int SHARE = 4;

  /** The limit; 0 as long as it is not known. */
  private int max;

  OpenFilesLimit(DatabaseOptions options) {
    // Of a read-only database, the writer may have deleted what would be opened again.
    max = options.readOnly() ? Integer.MAX_VALUE : options.openFilesMax();
  }

  /** Returns whether that many open tables are too many. */
  @Override
  public boolean test(int files) {
    if (max == 0 && files > DEFAULT_MIN) {
      max = byDefault(processMax());
    }
    return max > 0 && files > max;
  }

  /** Returns the limit in a process that may open that many files. */
  static int byDefault(long processMax) {
    return (int) Math.max(DEFAULT_MIN, Math.min(DEFAULT_MAX, processMax / SHARE));
  }

  /** Takes a tenth of a second when it is called first. */
  private static long processMax() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }
}
