// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes one generation: first the files that the target does not have, then the record that names
 * all files.
 */
final class BackupWriter {
  private final BackupTarget target;
  private final BackupLock lock;
  private final Staging staging;
  private final BackupOptions options;
  private final Throttle throttle;
  private final Map<String, FileEntry> before = new HashMap<>();
  private final Map<String, Long> present;
  private long bytesAdded;

  /**
   * Creates a writer of one generation.
   *
   * @param lock that of the target, which the caller holds
   * @param last the generation before, or null for none
   */
  BackupWriter(
      BackupTarget target,
      BackupLock lock,
      Staging staging,
      BackupOptions options,
      @Nullable GenerationRecord last)
      throws IOException {
    this.target = target;
    this.lock = lock;
    this.staging = staging;
    this.options = options;
    this.throttle = new Throttle(options.bytesPerSecondMax());
    this.present = new HashMap<>(target.list(FileEntry.OBJECTS));
    if (last != null) {
      last.files().forEach(file -> before.put(file.name(), file));
    }
  }

  /** Writes the generation. */
  GenerationRecord write(long number, Instant created) throws IOException {
    List<String> names = staging.names();
    long bytesAll = 0;
    for (String name : names) {
      bytesAll += Files.size(staging.file(name));
    }
    List<FileEntry> files = new ArrayList<>();
    long bytesDone = 0;
    for (String name : names) {
      FileEntry file = entryOf(name);
      copy(file);
      files.add(file);
      bytesDone += file.bytes();
      options.progress().onFile(files.size(), names.size(), bytesDone, bytesAll);
    }
    GenerationRecord record =
        new GenerationRecord(number, created, bytesAdded, staging.checkpoint(), files);
    // Another writer may have deleted files that this generation would name.
    lock.check();
    if (!target.writeNew(GenerationRecord.objectOf(number), record.encode())) {
      throw new IOException(
          target + ": generation " + number + " was written by another backup at the same time");
    }
    return record;
  }

  private FileEntry entryOf(String name) throws IOException {
    Path file = staging.file(name);
    String fingerprint = FileDigest.fingerprint(file);
    FileEntry known = before.get(name);
    if (!options.readsAll() && known != null && known.fingerprint().equals(fingerprint)) {
      return known;
    }
    String sha256 = FileDigest.sha256(file, throttle);
    return new FileEntry(name, Files.size(file), sha256, fingerprint);
  }

  private void copy(FileEntry file) throws IOException {
    Long there = present.get(file.object());
    if (there != null && there == file.bytes()) {
      return;
    }
    Path staged = staging.file(file.name());
    try (InputStream raw = throttle.limit(Files.newInputStream(staged));
        InputStream in = new UnchangedInput(raw, file, staged)) {
      target.write(file.object(), in, file.bytes());
    }
    present.put(file.object(), file.bytes());
    bytesAdded += file.bytes();
  }
}
