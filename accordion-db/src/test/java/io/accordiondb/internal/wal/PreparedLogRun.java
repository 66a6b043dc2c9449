// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.LogWriting;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;

/**
 * Prepares log files, and continues whatever allocation has failed before. Runs among classes whose
 * allocations fail.
 */
public final class PreparedLogRun {
  private static final int FILES = 4;

  private PreparedLogRun() {}

  /** Fills files, each of which was prepared; an allocation may fail. */
  static void fillFiles(long unused) throws IOException {
    fillFiles(true);
  }

  /** Fills files, none of which was prepared. */
  static void fillUnpreparedFiles(long unused) throws IOException {
    fillFiles(false);
  }

  private static void fillFiles(boolean arePrepared) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    WriteAheadLog log =
        TestLog.open(disk, TestLog.replay(disk), LogWriting.PLAIN, TestLog.register(disk));
    long sequence = 1;
    for (int i = 0; i < FILES; i++) {
      if (arePrepared) {
        attempt(log, log::upkeep);
      }
      long number = log.currentNumber();
      while (log.currentNumber() == number) {
        long next = sequence;
        attempt(log, () -> TestLog.append(log, next));
        sequence = TestLog.next(next);
      }
      attempt(log, () -> log.truncate(Long.MAX_VALUE));
    }
    log.close();
    if (disk.openFiles() != 0) {
      throw new AssertionError(disk.openFiles() + " files are open");
    }
  }

  private static void attempt(WriteAheadLog log, IoRunnable step) throws IOException {
    try {
      step.run();
    } catch (WritesSuspendedException e) {
      log.resume();
      step.run();
    }
  }
}
