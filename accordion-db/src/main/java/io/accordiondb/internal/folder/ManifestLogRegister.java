// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.folder;

import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.ManifestContents;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.wal.KnownLog;
import io.accordiondb.internal.wal.KnownLogs;
import io.accordiondb.internal.wal.LogRegister;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** Records the files of the log in the manifest. Thread-safe. */
public final class ManifestLogRegister implements LogRegister {
  private final Manifest manifest;
  private final LongSupplier clockCeiling;
  private volatile Runnable onUpkeep = () -> {};

  /**
   * Creates a register.
   *
   * @param clockCeiling a time above the timestamps of writes, recorded with each file
   */
  public ManifestLogRegister(Manifest manifest, LongSupplier clockCeiling) {
    this.manifest = manifest;
    this.clockCeiling = clockCeiling;
  }

  /** Sets an action that runs whenever upkeep of the log is due. It must not wait. */
  public void onUpkeep(Runnable action) {
    onUpkeep = action;
  }

  /** Returns what a manifest says about the log. */
  public static KnownLogs logsOf(ManifestContents contents) {
    Version version = contents.version();
    return new KnownLogs(
        version.logs().stream()
            .map(log -> new KnownLog(log.fileNumber(), log.previousSequence()))
            .toList(),
        version.highestLog(),
        contents.logBytes(),
        null);
  }

  @Override
  public long nextNumber() throws IOException {
    return manifest.nextNumber();
  }

  @Override
  public void begin(Collection<KnownLog> kept, Collection<Long> leftOut) throws IOException {
    Version version = manifest.version();
    SortedMap<Long, Long> added = new TreeMap<>();
    kept.forEach(log -> added.put(log.fileNumber(), log.previousSequence()));
    List<Long> removed = new ArrayList<>();
    version.logs().stream()
        .map(VersionEdit.AddLog::fileNumber)
        .filter(number -> !added.containsKey(number))
        .forEach(removed::add);
    // Record files that the version does not know before they are deleted, because a crash may keep
    // them.
    for (long number : leftOut) {
      if (number > version.highestLog()) {
        added.put(number, 0L);
        removed.add(number);
      }
    }
    List<VersionEdit> edits = new ArrayList<>();
    for (VersionEdit.AddLog log : version.logs()) {
      Long sequence = added.get(log.fileNumber());
      if (sequence != null && log.isPrepared()) {
        edits.add(new VersionEdit.AddLog(log.fileNumber(), sequence));
      }
    }
    added
        .tailMap(version.highestLog() + 1)
        .forEach((number, sequence) -> edits.add(new VersionEdit.AddLog(number, sequence)));
    removed.forEach(number -> edits.add(new VersionEdit.RemoveLog(number)));
    // The version may include a commit of a process that died before the commit was on the device.
    // So make the version durable by another commit before any file is deleted because of it.
    if (!edits.isEmpty() || !leftOut.isEmpty()) {
      manifest.commitSilently(edits);
    }
  }

  @Override
  public void add(Collection<KnownLog> files) throws IOException {
    List<VersionEdit> edits = new ArrayList<>();
    for (KnownLog file : files) {
      edits.add(new VersionEdit.AddLog(file.fileNumber(), file.previousSequence()));
    }
    edits.add(new VersionEdit.SetClockCeiling(clockCeiling.getAsLong()));
    manifest.commitSilently(edits);
  }

  @Override
  public void remove(Collection<Long> fileNumbers) throws IOException {
    List<VersionEdit> edits = new ArrayList<>();
    for (VersionEdit.AddLog log : manifest.version().logs()) {
      if (fileNumbers.contains(log.fileNumber())) {
        edits.add(new VersionEdit.RemoveLog(log.fileNumber()));
      }
    }
    // Without edits, too: only another commit tells that one which failed is not in force.
    manifest.commitSilently(edits);
  }

  @Override
  public RecordMark mark() {
    return manifest.mark();
  }

  @Override
  public void upkeepIsDue() {
    onUpkeep.run();
  }
}
