// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transfer;

import io.accordiondb.Checkpoint;
import io.accordiondb.CorruptionException;
import io.accordiondb.LogExtent;
import io.accordiondb.internal.folder.ReadOnlyFolder;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.ManifestContents;
import io.accordiondb.internal.manifest.RegionNames;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.storage.OverlayStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import io.accordiondb.internal.storage.StorageWriter;
import io.accordiondb.internal.wal.KeptLogs;
import io.accordiondb.internal.wal.LogFileNames;
import io.accordiondb.internal.wal.LogPrefix;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Copies the newest state on disk of a database that another process may have open, without
 * changing anything there. Sorted tables never change, so they are hard links where the file system
 * allows it. The log is copied up to the end of its sound records that belong to the manifest. If
 * the other process deletes a file during the copy, the copy starts again with a newer manifest. So
 * it does if the log looks damaged, and fails if that stays.
 */
public final class FolderCopy {
  private static final int COPY_BYTES = 256 << 10;

  private FolderCopy() {}

  /**
   * Writes the copy; returns the moment that it holds.
   *
   * @param moment reads the copy to find out; if that fails, the copy is deleted
   * @throws DirectoryNotEmptyException if the target holds anything; see {@link CopyTarget}
   */
  public static Checkpoint write(
      Storage source, Storage target, LogExtent extent, IoSupplier<Checkpoint> moment)
      throws IOException {
    return CopyTarget.fill(
        target,
        () -> {
          copyNewest(source, target, extent);
          return moment.get();
        });
  }

  private static void copyNewest(Storage source, Storage target, LogExtent extent)
      throws IOException {
    target.createDirectories(StoreFiles.DIRECTORY);
    target.createDirectories(WriteAheadLog.DIRECTORY);
    ReadOnlyFolder.Attempts attempts = new ReadOnlyFolder.Attempts(source);
    while (true) {
      OverlayStorage held = new OverlayStorage(source);
      try {
        ManifestContents contents = ReadOnlyFolder.hold(held);
        copy(source, held, contents, target, extent);
        return;
      } catch (NoSuchFileException | CorruptionException e) {
        attempts.failed(e);
      } finally {
        held.release();
      }
      CopyTarget.clearDirectories(target);
    }
  }

  private static void copy(
      Storage source, Storage held, ManifestContents contents, Storage target, LogExtent extent)
      throws IOException {
    Version version = contents.version();
    Set<Long> linked = new HashSet<>();
    for (FileRecord file : version.files()) {
      if (linked.add(file.backingNumber())) {
        String name = StoreFiles.nameOf(file.backingNumber());
        source.linkTo(name, target, name);
      }
    }
    List<VersionEdit> edits = copyLogs(held, contents, target);
    target.syncDirectory(StoreFiles.DIRECTORY);
    target.syncDirectory(WriteAheadLog.DIRECTORY);
    if (extent == LogExtent.KEPT) {
      linkKeptLogs(source, version, target);
    }
    CopyTarget.finish(target, version.withoutLogs().apply(edits));
  }

  /** Links the log files that were kept already when the manifest was written. */
  private static void linkKeptLogs(Storage source, Version version, Storage target)
      throws IOException {
    long firstNeeded = Long.MAX_VALUE;
    for (VersionEdit.AddLog log : version.logs()) {
      firstNeeded = Math.min(firstNeeded, log.fileNumber());
    }
    KeptLogs.asTheyAre(source).linkTo(target, firstNeeded);
    RegionNames.linkTo(source, target);
  }

  /** Copies the log, and returns the edits that make it known. */
  private static List<VersionEdit> copyLogs(Storage held, ManifestContents contents, Storage target)
      throws IOException {
    List<VersionEdit.AddLog> logs = List.copyOf(contents.version().logs());
    LogPrefix[] prefixes = new LogPrefix[logs.size()];
    // Newest first: the log may continue in a prepared file at any moment, and once that has begun,
    // the one before is complete.
    LogPrefix next = null;
    for (int i = prefixes.length - 1; i >= 0; i--) {
      next = LogPrefix.of(held, logs.get(i).fileNumber(), contents.mark(), next);
      prefixes[i] = next;
    }
    List<VersionEdit> edits = new ArrayList<>();
    for (int i = 0; i < prefixes.length; i++) {
      VersionEdit.AddLog log = logs.get(i);
      LogPrefix prefix = prefixes[i];
      String name = LogFileNames.nameOf(log.fileNumber());
      try (StorageReader reader = held.open(name);
          StorageWriter writer = target.create(name)) {
        copy(reader, prefix.bytes(), writer);
      }
      edits.add(log);
      if (prefix.isCut()) {
        break;
      }
    }
    return edits;
  }

  private static void copy(StorageReader reader, long bytes, StorageWriter writer)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
    for (long at = 0; at < bytes; at += buffer.limit()) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), bytes - at));
      reader.readFully(buffer, at);
      writer.append(buffer.flip());
    }
    writer.sync();
  }
}
