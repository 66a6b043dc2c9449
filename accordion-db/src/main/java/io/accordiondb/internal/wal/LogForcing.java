// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forces log files to the device, and notes in the folder if that has failed. The next opening then
 * writes the whole log into new files, because it cannot force the old ones: an operating system
 * may take pages that it could not write for clean. They can still be read, but another force of
 * them does nothing and succeeds.
 *
 * <p>The note need not be durable: a loss of power takes those pages with it.
 */
public final class LogForcing {
  private static final Logger LOG = LoggerFactory.getLogger(LogForcing.class);

  private static final String NOTE = WriteAheadLog.DIRECTORY + "/unforced";
  private static final String COPY = WriteAheadLog.DIRECTORY + "/unforced.tmp";

  /**
   * The folders that do not say yet that a force has failed. This process may open them again, and
   * must not take their files for forced then.
   */
  private static final Set<Object> OWED = ConcurrentHashMap.newKeySet();

  private LogForcing() {}

  /** Forces the existing log files of a database that is being opened to the device. */
  public static void forceAll(Storage storage) throws IOException {
    for (long number : LogFileNames.list(storage)) {
      force(storage, number);
    }
  }

  static void force(Storage storage, long fileNumber) throws IOException {
    force(storage, () -> storage.sync(LogFileNames.nameOf(fileNumber)));
  }

  /**
   * Runs a step that forces a log file to the device, and notes it if that fails. Without memory it
   * fails like a device: a writer takes no force after a failed one, so nobody may try it later.
   */
  static void force(Storage storage, IoRunnable step) throws IOException {
    try {
      step.run();
    } catch (Throwable e) {
      boolean unused = note(storage);
      if (e instanceof OutOfMemoryError) {
        throw new IOException("no memory to force the log", e);
      }
      throw e;
    }
  }

  /**
   * Notes a failure that could not be noted when it happened; returns whether none is left. The
   * storage may have failed for a moment only.
   */
  static boolean noteOwed(Storage storage) {
    return !OWED.contains(storage.identity()) || note(storage);
  }

  /** Notes that a force has failed; returns whether the folder says so now. */
  private static boolean note(Storage storage) {
    try {
      OWED.add(storage.identity());
      if (!storage.exists(NOTE)) {
        // A key service may be out of order now, but the note must be written.
        storage.createEmpty(NOTE);
      }
      OWED.remove(storage.identity());
      return true;
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("could not note that the log was not forced to the device", e);
      return false;
    }
  }

  /** Replaces all log files by copies that are on the device, if forcing them has failed before. */
  public static void replaceUnforced(Storage storage) throws IOException {
    if (!noteOwed(storage)) {
      throw new IOException(
          storage.path(NOTE) + " cannot be created; it is to say that forcing the log has failed");
    }
    if (!storage.exists(NOTE)) {
      // A loss of power may have kept the copy of a file, but not the note.
      deleteCopy(storage);
      return;
    }
    LOG.warn("the log could not be forced to the device before; it is written again");
    for (long number : LogFileNames.list(storage)) {
      deleteCopy(storage);
      storage.copyTo(LogFileNames.nameOf(number), storage, COPY);
      storage.rename(COPY, LogFileNames.nameOf(number));
    }
    storage.syncDirectory(WriteAheadLog.DIRECTORY);
    storage.delete(NOTE);
  }

  private static void deleteCopy(Storage storage) throws IOException {
    if (storage.exists(COPY)) {
      storage.delete(COPY);
    }
  }
}
