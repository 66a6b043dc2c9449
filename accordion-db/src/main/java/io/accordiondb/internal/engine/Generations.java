// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.Checkpoint;
import io.accordiondb.CorruptionException;
import io.accordiondb.DatabaseClosedException;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Get;
import io.accordiondb.Isolation;
import io.accordiondb.LogExtent;
import io.accordiondb.Result;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.Transaction;
import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.crypt.EncryptedStorage;
import io.accordiondb.internal.engine.DatabaseOpener.Opened;
import io.accordiondb.internal.function.IoFunction;
import io.accordiondb.internal.history.CopyEnd;
import io.accordiondb.internal.manifest.ManifestContents;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.record.RecordTail;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.table.EngineSnapshot;
import io.accordiondb.internal.table.OpenTables;
import io.accordiondb.internal.table.RowScanner;
import io.accordiondb.internal.table.TableReads;
import io.accordiondb.internal.transfer.FolderCopy;
import io.accordiondb.internal.wal.LogFileNames;
import io.accordiondb.internal.wal.SealedLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A read-only database whose folder another process writes to: the contents of the folder at the
 * last refresh, and the earlier contents that scanners and snapshots still read. Thread-safe.
 *
 * <p>Each generation is a database of its own. A reader takes a read point of its generation and
 * then checks that the generation is still the current one. An older generation is closed once no
 * read point of it is held. So either the reader sees that it must start again, or the generation
 * stays open for it.
 */
final class Generations implements TableReads {
  private final Storage storage;
  private final OpenTables tables;
  private final Telemetry telemetry;
  private final ReentrantLock refreshLock = new ReentrantLock();

  private final Succession<Generation> generations;

  /** The generation that is being closed, if any; written under the lock. */
  private volatile @Nullable Generation beingClosed;

  /** The contents of the folder at one time; compared by identity. */
  private static final class Generation {
    private final EngineParts parts;
    private final RecordMark mark;

    // Allocate this while the generation is opened: then closing it does not depend on memory.
    private final EngineShutdown shutdown;

    Generation(Opened opened) {
      this.parts = opened.parts();
      this.mark = opened.mark();
      this.shutdown = new EngineShutdown(parts, () -> {});
    }
  }

  Generations(Storage storage, Opened first) {
    this.telemetry = first.parts().telemetry();
    this.storage = storage;
    this.generations = new Succession<>(new Generation(first));
    this.tables =
        new OpenTables(
            () -> parts().catalog(), new FailureState(() -> null), storage.path(""), true);
  }

  /** Returns the current generation. */
  EngineParts parts() {
    return current().parts;
  }

  /** Returns the read points of all generations that are open. */
  List<ReadPoints> readPoints() {
    // The newest one first, which may be replaced in the meantime.
    Generation newest = current();
    List<ReadPoints> all = new ArrayList<>(List.of(newest.parts.readPoints()));
    for (Generation generation : generations.earlier()) {
      if (generation != newest) {
        all.add(generation.parts.readPoints());
      }
    }
    return all;
  }

  private Generation current() {
    return generations.newest();
  }

  /** Returns an object that always reads the tables of the current generation. */
  OpenTables tables() {
    return tables;
  }

  /**
   * See {@link io.accordiondb.Database#refresh}.
   *
   * @throws IllegalStateException on a thread of a generation for background work
   */
  boolean refresh() throws IOException {
    checkNotInBackground();
    refreshLock.lock();
    try {
      tables.checkOpen();
      closeUnused();
      EncryptedStorage.checkPlain(storage);
      if (isCurrent()) {
        return false;
      }
      Generation next =
          DatabaseOpener.openReadOnly(storage, parts().options().get(), telemetry, Generation::new);
      replaceCurrent(next);
      closeUnused();
      return true;
    } finally {
      refreshLock.unlock();
    }
  }

  private void replaceCurrent(Generation next) throws IOException {
    boolean kept = false;
    try {
      generations.replace(next);
      kept = true;
    } finally {
      if (!kept) {
        next.shutdown.close();
      }
    }
  }

  /** Changes options, which later generations keep. Waits for a refresh in progress to end. */
  void reconfigure(UnaryOperator<DatabaseOptions.Builder> change) throws IOException {
    refreshLock.lock();
    try {
      tables.checkOpen();
      Reconfiguration.apply(parts(), change);
    } finally {
      refreshLock.unlock();
    }
  }

  /** Begins a transaction that reads the current generation until it ends. */
  Transaction begin(Isolation isolation) {
    while (true) {
      tables.checkOpen();
      Generation generation = current();
      try {
        Transaction transaction = generation.parts.transactions().begin(isolation);
        if (generation == current()) {
          return transaction;
        }
        transaction.close();
      } catch (DatabaseClosedException e) {
        if (generation == current()) {
          throw e;
        }
      }
    }
  }

  /** Copies what the folder holds now, which may be newer than any generation. */
  Checkpoint copyNewest(Storage target, LogExtent extent) throws IOException {
    EncryptedStorage.checkPlain(storage);
    Instant begun = parts().options().get().clock().instant();
    return FolderCopy.write(storage, target, extent, () -> CopyEnd.momentOf(target, begun));
  }

  /**
   * Returns whether the folder holds what it held when the current generation was opened. If its
   * files do not fit together it does not: opening the next generation distinguishes a writer that
   * has changed some of them in between from damage.
   */
  private boolean isCurrent() throws IOException {
    SealedLog newest = parts().log().newestClosed();
    if (newest == null) {
      return false;
    }
    try {
      ManifestContents contents = ManifestContents.read(storage);
      if (!contents.mark().equals(current().mark)
          || hasRecord(newest.fileNumber(), newest.bytes())) {
        return false;
      }
      for (VersionEdit.AddLog log : contents.version().logs()) {
        // The log continues in a prepared file without a commit of the manifest.
        if (log.isPrepared()
            && log.fileNumber() > newest.fileNumber()
            && hasRecord(log.fileNumber(), 0)) {
          return false;
        }
      }
      return true;
    } catch (NoSuchFileException | CorruptionException e) {
      return false;
    }
  }

  /** Returns whether a log file has a record at an offset. */
  private boolean hasRecord(long fileNumber, long offset) throws IOException {
    String name = LogFileNames.nameOf(fileNumber);
    try (RecordTail tail = RecordTail.open(storage, name, fileNumber, offset)) {
      return tail.next();
    }
  }

  private void closeUnused() throws IOException {
    for (Generation generation : generations.earlier()) {
      if (!generation.parts.readPoints().isAnyHeld()) {
        beingClosed = generation;
        generations.remove(generation);
        try {
          generation.shutdown.close();
        } finally {
          beingClosed = null;
        }
      }
    }
  }

  /**
   * Checks that no thread of a generation calls, before anything is closed: whoever closes the
   * generation, perhaps another thread that holds the lock, waits for the end of that thread.
   */
  private void checkNotInBackground() {
    // In the order in which a generation moves on.
    parts().threads().checkNotCurrent();
    generations.earlier().forEach(generation -> generation.parts.threads().checkNotCurrent());
    Generation last = beingClosed;
    if (last != null) {
      last.parts.threads().checkNotCurrent();
    }
  }

  /**
   * Closes all generations.
   *
   * @param observation is closed at the end
   * @throws IllegalStateException on a thread of a generation for background work; then nothing is
   *     closed
   */
  void close(Closeable observation) throws IOException {
    checkNotInBackground();
    try (observation) {
      close();
    }
  }

  private void close() throws IOException {
    refreshLock.lock();
    try {
      // Allocate first: closing can be tried again if that fails.
      List<Generation> all = new ArrayList<>();
      generations.earlier().forEach(all::add);
      all.add(current());
      Iterator<Generation> closing = all.iterator();
      if (tables.close()) {
        closeAll(closing);
      }
    } finally {
      refreshLock.unlock();
    }
  }

  /** Closes all generations, even if closing one fails. */
  private static void closeAll(Iterator<Generation> closing) throws IOException {
    if (closing.hasNext()) {
      try (Closeable next = closing.next().shutdown) {
        closeAll(closing);
      }
    }
  }

  @Override
  public TableState table(String name) throws IOException {
    return tables.get(name);
  }

  @Override
  public TableState table(String name, @Nullable Snapshot snapshot) throws IOException {
    tables.checkOpen();
    return read(snapshot, parts -> parts.tables().get(name));
  }

  @Override
  public Snapshot snapshot() {
    while (true) {
      Generation generation = current();
      Snapshot snapshot = new EngineSnapshot(generation.parts.readPoints(), telemetry.leaks());
      if (generation == current()) {
        return snapshot;
      }
      snapshot.close();
    }
  }

  @Override
  public Result get(TableState table, Get get) throws IOException {
    return read(get.snapshot(), parts -> parts.reader().get(parts.tables().get(table.name()), get));
  }

  @Override
  public List<Result> getAll(TableState table, List<Get> gets) throws IOException {
    List<Get> present = gets.stream().filter(get -> get.snapshot() == null).toList();
    List<Result> read =
        present.isEmpty()
            ? List.of()
            : read(null, parts -> parts.reader().getAll(parts.tables().get(table.name()), present));
    Iterator<Result> found = read.iterator();
    List<Result> results = new ArrayList<>(gets.size());
    for (Get get : gets) {
      results.add(get.snapshot() == null ? found.next() : get(table, get));
    }
    return results;
  }

  @Override
  public byte @Nullable [] value(
      TableState table, byte[] row, byte[] family, byte[] qualifier, @Nullable Snapshot snapshot)
      throws IOException {
    Optional<byte[]> value =
        read(
            snapshot,
            parts ->
                Optional.ofNullable(
                    parts
                        .reader()
                        .value(
                            parts.tables().get(table.name()), row, family, qualifier, snapshot)));
    return value.orElse(null);
  }

  @Override
  public RowScanner scan(TableState table, Scan scan) throws IOException {
    Snapshot snapshot = scan.snapshot();
    while (true) {
      Generation generation = generationOf(snapshot);
      RowScanner scanner =
          read(snapshot, parts -> parts.reader().scan(parts.tables().get(table.name()), scan));
      if (snapshot != null || generation == current()) {
        return scanner;
      }
      scanner.close();
    }
  }

  /**
   * Reads a generation, and repeats the read if the generation was replaced and may have been
   * closed during it.
   */
  private <T> T read(@Nullable Snapshot snapshot, IoFunction<EngineParts, T> read)
      throws IOException {
    while (true) {
      Generation generation = generationOf(snapshot);
      try {
        return read.apply(generation.parts);
      } catch (IOException | RuntimeException e) {
        if (snapshot != null || generation == current()) {
          throw e;
        }
      }
    }
  }

  private Generation generationOf(@Nullable Snapshot snapshot) {
    return snapshot == null
        ? current()
        : generations.earlierOrNewest(
            generation -> EngineSnapshot.isOf(snapshot, generation.parts.readPoints()));
  }
}
