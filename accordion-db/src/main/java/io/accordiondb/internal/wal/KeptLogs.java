// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.internal.function.IoConsumer;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log files that the database no longer needs, kept in a folder of their own for change feeds. No
 * replay reads them. A file gets its name in this folder, which holds the time, before it loses its
 * name in the folder of the log, so a reader of both folders misses no file. Thread-safe.
 */
public final class KeptLogs {
  /** The directory of the files. */
  public static final String DIRECTORY = "kept";

  private static final Logger LOG = LoggerFactory.getLogger(KeptLogs.class);

  /** A file that has not been copied whole yet, where the file system has no links. */
  private static final String INCOMPLETE = DIRECTORY + "/incomplete";

  private static final Pattern NAME = Pattern.compile("(\\d{12})-(\\d{1,18})\\.log");

  private final Storage storage;
  private final Supplier<LogRetention> retention;
  private final LongSupplier latestMillis;
  private final LongSupplier droppingMillis;
  private volatile Amount amount = Amount.NONE;

  /**
   * What is kept.
   *
   * @param files number of files
   * @param bytes their bytes
   * @param oldest number of the oldest file; -1 if there is none, or it could not be read
   * @param oldestSequence the oldest sequence number that they may have; -1 if that is unknown
   */
  public record Amount(int files, long bytes, long oldest, long oldestSequence) {
    private static final Amount NONE = new Amount(0, 0, -1, -1);
  }

  /** A file and when it was kept, in milliseconds since 1970. */
  private record KeptLog(long fileNumber, long keptMillis) {
    String name() {
      return String.format(Locale.ROOT, "%s/%012d-%d.log", DIRECTORY, fileNumber, keptMillis);
    }
  }

  /**
   * Creates access to the kept files of a storage. It creates the folder when the first file is
   * kept.
   *
   * @param latestMillis the time from which on files are kept; if the clock may be wrong, rather
   *     too late, because a file must not go too early
   * @param droppingMillis the time at which files are judged; rather too early
   */
  public KeptLogs(
      Storage storage,
      Supplier<LogRetention> retention,
      LongSupplier latestMillis,
      LongSupplier droppingMillis) {
    this.storage = storage;
    this.retention = retention;
    this.latestMillis = latestMillis;
    this.droppingMillis = droppingMillis;
  }

  /** Returns access to the existing files, for reading only. */
  public static KeptLogs asTheyAre(Storage storage) {
    return new KeptLogs(
        storage, () -> new LogRetention(Duration.ZERO, Long.MAX_VALUE), () -> 0, () -> 0);
  }

  /** Returns whether files are kept at present. */
  public boolean isOn() {
    return !retention.get().duration().isZero();
  }

  /** Returns the numbers of all files that are kept, oldest first. */
  public List<Long> numbers() throws IOException {
    return list().stream().map(KeptLog::fileNumber).toList();
  }

  /** Returns the names of all files that are kept, by their numbers. */
  SortedMap<Long, String> names() throws IOException {
    SortedMap<Long, String> names = new TreeMap<>();
    for (KeptLog kept : list()) {
      names.put(kept.fileNumber, kept.name());
    }
    return names;
  }

  /** Returns the name of a file, or null if it is not kept. */
  public @Nullable String nameOf(long fileNumber) throws IOException {
    for (KeptLog kept : list()) {
      if (kept.fileNumber == fileNumber) {
        return kept.name();
      }
    }
    return null;
  }

  /** Returns the bytes of all files that are kept. */
  public long totalBytes() throws IOException {
    long bytes = 0;
    for (KeptLog kept : list()) {
      bytes += storedBytes(kept);
    }
    return bytes;
  }

  /**
   * Returns the consumer that keeps files, if any must be kept.
   *
   * @param beforeKeeping runs each time
   */
  IoConsumer<List<SealedLog>> keeper(IoRunnable beforeKeeping) {
    return needless -> {
      if (isOn()) {
        beforeKeeping.run();
        keep(needless);
      }
    };
  }

  /** Durably keeps files that are about to be deleted. */
  void keep(List<SealedLog> needless) throws IOException {
    storage.createDirectories(DIRECTORY);
    // Even if the folder is there, because an earlier call may have failed to force its name.
    storage.syncDirectory("");
    List<Long> there = numbers();
    for (SealedLog log : needless) {
      if (!there.contains(log.fileNumber())) {
        KeptLog kept = new KeptLog(log.fileNumber(), latestMillis.getAsLong());
        if (storage.exists(INCOMPLETE)) {
          storage.delete(INCOMPLETE);
        }
        storage.linkTo(LogFileNames.nameOf(log.fileNumber()), storage, INCOMPLETE);
        storage.rename(INCOMPLETE, kept.name());
      }
    }
    storage.syncDirectory(DIRECTORY);
  }

  /**
   * Links the files that are kept into another storage, up to a number. Leaves out the files that
   * are deleted during the call because they have been kept for long enough.
   *
   * @param end the number of the first file to leave out
   */
  public void linkTo(Storage target, long end) throws IOException {
    List<KeptLog> files = list();
    files.removeIf(file -> file.fileNumber >= end);
    if (files.isEmpty()) {
      return;
    }
    target.createDirectories(DIRECTORY);
    // Newest first, because the oldest are deleted first: so what is linked has no gap.
    for (int i = files.size() - 1; i >= 0; i--) {
      String name = files.get(i).name();
      try {
        storage.linkTo(name, target, name);
      } catch (NoSuchFileException e) {
        LOG.debug("{} was deleted just now", name);
        break;
      }
    }
    target.syncDirectory(DIRECTORY);
  }

  /**
   * Deletes the oldest files, if they have been kept for long enough or there are too many bytes.
   * Each deletion is on the device before the next one begins, so that no crash leaves a gap: a
   * file ends where the next one says, and without that one a change feed would read the rest of
   * it.
   */
  public void deleteExpired() throws IOException {
    List<KeptLog> files = list();
    if (files.isEmpty()) {
      amount = Amount.NONE;
      return;
    }
    LogRetention kept = retention.get();
    List<Long> sizes = new ArrayList<>();
    for (KeptLog file : files) {
      sizes.add(storedBytes(file));
    }
    long bytes = sizes.stream().mapToLong(Long::longValue).sum();
    long expiredMillis = droppingMillis.getAsLong() - kept.duration().toMillis();
    int deleted = 0;
    for (int i = 0; i < files.size(); i++) {
      KeptLog file = files.get(i);
      // While none are to be kept, even files go whose time is ahead, because a clock was.
      if (isOn() && file.keptMillis > expiredMillis && bytes <= kept.bytesMax()) {
        break;
      }
      bytes -= sizes.get(i);
      // Even before the first one, because an earlier call may have failed to force its last one.
      storage.syncDirectory(DIRECTORY);
      try {
        storage.delete(file.name());
      } catch (NoSuchFileException e) {
        LOG.debug("{} was deleted by another thread", file.name());
      }
      deleted++;
    }
    if (deleted > 0) {
      storage.syncDirectory(DIRECTORY);
    }
    measure(files.subList(deleted, files.size()), bytes);
  }

  private void measure(List<KeptLog> files, long bytes) {
    if (files.isEmpty()) {
      amount = Amount.NONE;
      return;
    }
    long oldest = files.get(0).fileNumber;
    Amount before = amount;
    try {
      long sequence = before.oldest == oldest ? before.oldestSequence : firstSequence(oldest);
      amount = new Amount(files.size(), bytes, oldest, sequence);
    } catch (IOException e) {
      // The next call tries again, because it does not know the file.
      LOG.debug("the beginning of kept file {} cannot be read", oldest, e);
      amount = new Amount(files.size(), bytes, -1, -1);
    }
  }

  /** Returns the sequence number that a file begins with; -1 if it does not say so. */
  private long firstSequence(long fileNumber) throws IOException {
    LogLink link = LogBeginnings.linkOf(storage, this, fileNumber);
    return link == null ? -1 : link.previousSequence() + 1;
  }

  /** Returns what was kept when {@link #deleteExpired} last ran. */
  public Amount amount() {
    return amount;
  }

  /** Returns the bytes of a file; 0 if another thread has deleted it just now. */
  private long storedBytes(KeptLog file) throws IOException {
    try {
      return storage.storedBytes(file.name());
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  private List<KeptLog> list() throws IOException {
    List<KeptLog> files = new ArrayList<>();
    if (storage.isDirectory(DIRECTORY)) {
      for (String name : storage.list(DIRECTORY)) {
        Matcher matcher = NAME.matcher(name);
        if (matcher.matches()) {
          files.add(
              new KeptLog(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))));
        }
      }
    }
    return files;
  }
}
