// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.folder;

import io.accordiondb.internal.manifest.ManifestContents;
import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.storage.OverlayStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.KnownLog;
import io.accordiondb.internal.wal.LogFileNames;
import io.accordiondb.internal.wal.LogWitness;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a manifest and the log that belongs to it from a folder in which another process may be
 * writing.
 *
 * <p>It opens the log files right after it has read the manifest, so that it can read them even if
 * they are deleted a moment later. If one of them is already gone, or the log mentions commits that
 * the manifest did not have, it reads the manifest again: either the manifest has changed since, or
 * something is missing.
 */
public final class ReadOnlyFolder {
  private static final Logger LOG = LoggerFactory.getLogger(ReadOnlyFolder.class);

  /**
   * To use up these attempts, a writer would have to delete log files that often, within a few
   * milliseconds each time.
   */
  private static final int ATTEMPTS = 100;

  private ReadOnlyFolder() {}

  /**
   * Decides whether reading a folder is tried again: after a failure, another process may just have
   * changed the folder, and then its manifest has moved on. Used by one thread.
   */
  public static final class Attempts {
    private static final int WHILE_MANIFEST_STANDS = 5;

    private final Storage storage;
    private RecordMark mark = RecordMark.NONE;
    private int failed;

    /** Begins with the first attempt to read the folder of a storage. */
    public Attempts(Storage storage) {
      this.storage = storage;
    }

    /**
     * Returns after a failed attempt if there is to be another one; otherwise throws its failure.
     */
    public void failed(IOException failure) throws IOException {
      RecordMark now = markOf(storage);
      int max = now.equals(mark) ? WHILE_MANIFEST_STANDS : ATTEMPTS;
      mark = now;
      if (++failed >= max) {
        throw failure;
      }
      LOG.debug("reading {} failed; trying again", storage.path(""), failure);
    }

    /** Returns how far the manifest of a folder has come, or NONE if it cannot be read. */
    private static RecordMark markOf(Storage storage) {
      try {
        return ManifestContents.read(storage).mark();
      } catch (IOException e) {
        return RecordMark.NONE;
      }
    }
  }

  /** Returns the manifest, and makes the storage hold the files of its log. */
  public static ManifestContents hold(OverlayStorage storage) throws IOException {
    ManifestContents contents = ManifestContents.read(storage);
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      boolean isWhole = holdLogs(storage, contents);
      LogWitness witness = witnessOf(storage, contents);
      ManifestContents now = ManifestContents.read(storage);
      if (witness != null) {
        witness.check(now.path(), now.mark(), now.version().highestLog());
        if (isWhole || now.mark().equals(contents.mark())) {
          return contents;
        }
      }
      contents = now;
      storage.release();
    }
    return contents;
  }

  /** Returns what the log says of the manifest; null if a file was deleted before it was read. */
  private static @Nullable LogWitness witnessOf(Storage storage, ManifestContents contents)
      throws IOException {
    try {
      return LogWitness.of(storage, contents.version().highestLog());
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Returns whether all files of the log exist. */
  private static boolean holdLogs(OverlayStorage storage, ManifestContents contents)
      throws IOException {
    boolean isWhole = true;
    for (KnownLog log : ManifestLogRegister.logsOf(contents).files()) {
      try {
        storage.hold(LogFileNames.nameOf(log.fileNumber()));
      } catch (NoSuchFileException e) {
        isWhole = false;
      }
    }
    return isWhole;
  }
}
