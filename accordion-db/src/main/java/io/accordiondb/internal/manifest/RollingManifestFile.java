// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current manifest file, which is replaced by a new one when it has grown to several times its
 * initial size. Not thread-safe: the caller must hold the commit lock of the manifest.
 */
final class RollingManifestFile implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Manifest.class);

  /** A new file is started when the present one has grown to this multiple of its initial size. */
  private static final int GROWTH_MAX = 4;

  private final Storage storage;
  private final long rollBytesMin;
  private @Nullable ManifestFile file;
  private long rollBytes;

  /** Whether existing files are kept, because the version has not been checked yet. */
  private boolean keepsOld;

  /**
   * Creates an object without a file.
   *
   * @param rollBytesMin below this size no new file is begun
   * @param keepsOld whether existing files are kept until {@link #confirm}
   */
  RollingManifestFile(Storage storage, long rollBytesMin, boolean keepsOld) {
    this.storage = storage;
    this.rollBytesMin = rollBytesMin;
    this.keepsOld = keepsOld;
  }

  /** Returns whether there is a file, whether or not it has grown too large for further appends. */
  boolean isBegun() {
    return file != null;
  }

  /** Returns whether a new file must be started before the next append. */
  boolean isDue() {
    ManifestFile current = begun();
    return !current.isWritable() || current.bytes() > rollBytes;
  }

  /** Continues the file in force until it has grown to twice its length. */
  void postpone() {
    rollBytes = 2 * begun().bytes();
  }

  /**
   * Begins a file with a version. It is not in force before {@link #switchTo}. If it cannot be
   * begun, nothing has changed.
   */
  ManifestFile begin(long fileNumber, Version version) throws IOException {
    ManifestFile next = ManifestFile.create(storage, fileNumber, version);
    boolean prepared = false;
    try {
      CurrentFile.prepare(storage, fileNumber);
      prepared = true;
      return next;
    } finally {
      if (!prepared) {
        next.close();
        storage.delete(ManifestFile.nameOf(fileNumber));
      }
    }
  }

  /**
   * Puts a file that was just begun in force. If that fails, it is unknown which file is in force.
   */
  void switchTo(ManifestFile next) throws IOException {
    ManifestFile old = file;
    file = next;
    rollBytes = Math.max(rollBytesMin, GROWTH_MAX * next.bytes());
    if (old != null) {
      old.close();
    }
    CurrentFile.switchTo(storage);
  }

  /** Appends a commit; see {@link ManifestFile#append}. */
  void append(ByteBuffer edits) throws IOException {
    begun().append(edits);
  }

  /** Returns the file in force, and how many commits it has. */
  RecordMark mark() {
    ManifestFile current = begun();
    return new RecordMark(current.fileNumber(), current.commits());
  }

  /** Deletes the earlier files, now and whenever another file is put in force. */
  void confirm() {
    keepsOld = false;
    deleteOld();
  }

  /**
   * Deletes the files that are not in force. Files that cannot be deleted are left to the next
   * call.
   */
  void deleteOld() {
    ManifestFile current = file;
    if (current == null || keepsOld) {
      return;
    }
    try {
      for (long number : ManifestFile.list(storage)) {
        if (number != current.fileNumber()) {
          storage.delete(ManifestFile.nameOf(number));
        }
      }
    } catch (IOException e) {
      LOG.warn("could not delete an old manifest", e);
    }
  }

  /**
   * Records in the folder that the database was closed in order.
   *
   * @param logBytes the length of the newest log file
   */
  void noteClosed(long logBytes) throws IOException {
    ManifestFile last = file;
    if (last != null && last.isWritable()) {
      last.sync();
      CurrentFile.close(
          storage, last.fileNumber(), new CurrentFile.Lengths(last.bytes(), logBytes));
    }
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
      file = null;
    }
  }

  private ManifestFile begun() {
    ManifestFile current = file;
    if (current == null) {
      throw new IllegalStateException("no manifest file was begun");
    }
    return current;
  }
}
