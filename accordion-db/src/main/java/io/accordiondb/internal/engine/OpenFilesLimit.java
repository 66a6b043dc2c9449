// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import com.sun.management.UnixOperatingSystemMXBean;
import io.accordiondb.DatabaseOptions;
import java.lang.management.ManagementFactory;
import java.util.function.IntPredicate;

/** Decides how many sorted tables a database keeps open. Called by one thread at a time. */
final class OpenFilesLimit implements IntPredicate {
  private static final long DEFAULT_MAX = 10_000;

  /** This number of files is always allowed, without finding out how many the process may open. */
  private static final int DEFAULT_MIN = 32;

  /**
   * One part in this many of the files that the process may open; the rest is for the log, the JVM
   * and the application.
   */
  private static final int SHARE = 4;

  /** The limit; 0 until it is determined. */
  private int max;

  OpenFilesLimit(DatabaseOptions options) {
    // A read-only database must keep its files open, because the writer may delete them.
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

  /** Returns how many files the process may open. The first call takes a tenth of a second. */
  private static long processMax() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }
}
