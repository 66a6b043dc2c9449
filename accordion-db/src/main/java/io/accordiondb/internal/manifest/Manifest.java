// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.ClosedException;
import io.accordiondb.CorruptionException;
import io.accordiondb.DatabaseFailedException;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.internal.failure.FirstFailure;
import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open manifest: the current version, and the file to which edits are appended. Thread-safe;
 * commits run one after another, and readers of the version do not wait for them.
 *
 * <p>The file CURRENT names the manifest file. A manifest file begins with a complete version. When
 * it has grown to several times that size, and whenever a database is opened, a new file is started
 * and CURRENT is switched to it atomically.
 *
 * <p>Files, tables and regions take their numbers from one sequence. A block of numbers at a time
 * is recorded as allocated, so that no number is allocated twice even after a crash.
 */
public final class Manifest implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Manifest.class);

  /** The size of the block of numbers that is recorded as allocated at a time. */
  private static final long NUMBER_BLOCK = 64;

  /** Below this size no new file is begun. */
  private static final long ROLL_BYTES_MIN = 256 << 10;

  private final AtomicLong nextNumber;
  private volatile Version version;
  private volatile RecordMark mark = RecordMark.NONE;
  private final FirstFailure failure = new FirstFailure();

  /** Receive each commit once it is in force, on the committing thread. */
  private final CommitListeners listeners = new CommitListeners();

  /** Receives each commit before anything of it is seen, on the committing thread. */
  private volatile Consumer<List<VersionEdit>> firstListener = edits -> {};

  /** Held while committing; version and mark are written under it too. */
  private final ReentrantLock commitLock = new ReentrantLock();

  @GuardedBy("commitLock")
  private final RollingManifestFile file;

  @GuardedBy("commitLock")
  private boolean closed;

  private Manifest(Storage storage, Version version, RollingManifestFile file) throws IOException {
    this.version = version;
    this.file = file;
    long numberMin = version.nextNumber();
    for (long number : ManifestFile.list(storage)) {
      numberMin = Math.max(numberMin, number + 1);
    }
    this.nextNumber = new AtomicLong(numberMin);
  }

  /** Returns whether a folder has a manifest. */
  public static boolean exists(Storage storage) throws IOException {
    return CurrentFile.exists(storage);
  }

  /**
   * Begins the manifest of a new database.
   *
   * @throws IllegalStateException if there is one
   */
  public static Manifest create(Storage storage) throws IOException {
    return create(storage, ROLL_BYTES_MIN);
  }

  /** Same as above, with a size below which no new file is begun. */
  static Manifest create(Storage storage, long rollBytesMin) throws IOException {
    if (exists(storage)) {
      throw new IllegalStateException(storage.path("") + " has a manifest");
    }
    return begun(
        new Manifest(
            storage, Version.EMPTY, new RollingManifestFile(storage, rollBytesMin, false)));
  }

  /**
   * Opens the manifest of a folder.
   *
   * @throws io.accordiondb.NotADatabaseException if there is none
   * @throws CorruptionException if it is damaged
   * @throws io.accordiondb.FormatVersionException if a newer version of this software has written
   *     it
   */
  public static Manifest open(Storage storage) throws IOException {
    return begun(
        new Manifest(
            storage, read(storage), new RollingManifestFile(storage, ROLL_BYTES_MIN, false)));
  }

  /**
   * Opens a manifest that was read before. The first commit begins a new file; nothing is deleted
   * before {@link #confirm}.
   */
  public static Manifest open(Storage storage, ManifestContents contents) throws IOException {
    return new Manifest(
        storage, contents.version(), new RollingManifestFile(storage, ROLL_BYTES_MIN, true));
  }

  /**
   * Returns the version in force in a folder, and changes nothing there.
   *
   * @throws CorruptionException if the manifest is damaged, or older than the files beside it
   */
  public static Version read(Storage storage) throws IOException {
    return ManifestContents.read(storage).version();
  }

  private static Manifest begun(Manifest manifest) throws IOException {
    boolean begun = false;
    manifest.commitLock.lock();
    try {
      manifest.begin();
      begun = true;
      return manifest;
    } finally {
      if (!begun) {
        manifest.close();
      }
      manifest.commitLock.unlock();
    }
  }

  /** Begins the first file of this manifest. */
  @GuardedBy("commitLock")
  private void begin() throws IOException {
    version = version.apply(List.of(moreNumbers()));
    switchTo(newFile());
  }

  /** Deletes the earlier manifest files. Call this once the version has proved to be whole. */
  public void confirm() {
    commitLock.lock();
    try {
      file.confirm();
    } finally {
      commitLock.unlock();
    }
  }

  /** Adds a listener for commits, which is called without locks of this object. */
  public void onCommit(Consumer<List<VersionEdit>> listener) {
    listeners.add(listener);
  }

  /**
   * Sets the listener that learns of commits before they are installed in memory. It must not fail.
   */
  public void beforeInstallation(Consumer<List<VersionEdit>> newListener) {
    firstListener = newListener;
  }

  /** Returns the version in force. */
  public Version version() {
    return version;
  }

  /**
   * Makes edits durable, all or none, and then puts the resulting version in force.
   *
   * @throws IllegalArgumentException if an edit does not fit; then nothing has happened
   * @throws WritesSuspendedException if this or an earlier commit could not be written; commits are
   *     accepted again after {@link #resume}
   * @throws DatabaseFailedException if it is unknown what the device holds, and the database must
   *     be closed and opened again
   */
  public void commit(List<VersionEdit> edits) throws IOException {
    commit(edits, () -> {});
  }

  /** Same as {@link #commit}, without notifying the listener. */
  public void commitSilently(List<VersionEdit> edits) throws IOException {
    commitLock.lock();
    try {
      roll();
      List<VersionEdit> all = new ArrayList<>(edits.size() + 1);
      if (version.nextNumber() - nextNumber.get() < NUMBER_BLOCK / 2) {
        all.add(moreNumbers());
      }
      all.addAll(edits);
      Version changed = version.apply(all);
      ByteBuffer encoded = EditCodec.encode(all);
      // From here on, every throwable is a failure until the version is in force.
      try {
        file.append(encoded);
        mark = file.mark();
      } catch (Throwable e) {
        // A new file begins with the version in force and does not need the content of this one.
        throw failed(e instanceof IOException ? new WritesSuspendedException(e) : e);
      }
      version = changed;
    } finally {
      commitLock.unlock();
    }
  }

  /**
   * Makes edits durable, and then runs an action that installs them in memory.
   *
   * @param install must not fail: if it does, memory and manifest disagree, and the database must
   *     be opened again, as after a commit that could not be written. It runs without the lock of
   *     commits, so the caller must keep other threads from changing the same objects
   */
  public void commit(List<VersionEdit> edits, Runnable install) throws IOException {
    commitSilently(edits);
    try {
      firstListener.accept(edits);
      install.run();
    } catch (Throwable e) {
      failure.record(e);
      throw e;
    }
    listeners.notifyOf(edits);
  }

  /**
   * Begins a change that needs preparations before it is committed.
   *
   * @param undo undoes the preparations, even if only a part of them was made; runs if no commit
   *     happens
   */
  public ManifestChange change(Runnable undo) {
    return new ManifestChange(this, undo);
  }

  /** Returns the file in force and how many commits of it are on the device. */
  public RecordMark mark() {
    return mark;
  }

  /** Returns a new number for a file, a table or a region. No number is returned twice. */
  public long nextNumber() throws IOException {
    while (true) {
      long number = nextNumber.get();
      if (number >= version.nextNumber()) {
        recordMoreNumbers();
      } else if (nextNumber.compareAndSet(number, number + 1)) {
        return number;
      }
    }
  }

  /**
   * Accepts commits again after a {@link WritesSuspendedException}, in a new file that begins with
   * the version in force. Does nothing if no commit has failed.
   *
   * @throws WritesSuspendedException if no file can be begun yet
   * @throws DatabaseFailedException if there is another failure
   */
  public void resume() throws IOException {
    commitLock.lock();
    try {
      if (closed || !FirstFailure.passes(failure.get())) {
        failure.check();
        return;
      }
      ManifestFile next;
      try {
        next = newFile();
      } catch (IOException e) {
        throw new WritesSuspendedException(e);
      }
      putInForce(next);
      failure.clear();
    } finally {
      commitLock.unlock();
    }
  }

  /** Returns the failure after which commits are refused, or null. */
  public @Nullable Throwable failure() {
    return failure.get();
  }

  /**
   * Closes the manifest of a database that was closed in order, and records that in the folder.
   *
   * @param logBytes the length of the newest log file
   */
  public void close(long logBytes) throws IOException {
    commitLock.lock();
    try {
      if (failure.get() == null) {
        file.noteClosed(logBytes);
      }
    } catch (IOException | OutOfMemoryError e) {
      LOG.warn("could not note that the database was closed", e);
    } finally {
      commitLock.unlock();
      close();
    }
  }

  @Override
  public void close() throws IOException {
    commitLock.lock();
    try {
      closed = true;
      file.close();
    } finally {
      commitLock.unlock();
    }
  }

  private void recordMoreNumbers() throws IOException {
    commitLock.lock();
    try {
      if (nextNumber.get() >= version.nextNumber()) {
        commitSilently(List.of());
      }
    } finally {
      commitLock.unlock();
    }
  }

  private VersionEdit moreNumbers() {
    return new VersionEdit.SetNextNumber(nextNumber.get() + NUMBER_BLOCK);
  }

  /** Begins a new file if there is none, or if the one in force has grown too large. */
  @GuardedBy("commitLock")
  private void roll() throws IOException {
    failure.check();
    if (closed) {
      throw new ClosedException("the manifest");
    }
    if (!file.isBegun()) {
      try {
        begin();
      } catch (Throwable e) {
        failure.record(e);
        throw e;
      }
      return;
    }
    if (!file.isDue()) {
      return;
    }
    ManifestFile next;
    try {
      next = newFile();
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      file.postpone();
      LOG.warn("could not begin a new manifest; will go on with the old one for a while", e);
      return;
    }
    putInForce(next);
  }

  /** Begins a file with the version in force. */
  @GuardedBy("commitLock")
  private ManifestFile newFile() throws IOException {
    return file.begin(nextNumber.getAndIncrement(), version);
  }

  @GuardedBy("commitLock")
  private void putInForce(ManifestFile next) throws DatabaseFailedException {
    try {
      switchTo(next);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  @GuardedBy("commitLock")
  private void switchTo(ManifestFile next) throws IOException {
    file.switchTo(next);
    mark = file.mark();
    file.deleteOld();
  }

  private DatabaseFailedException failed(Throwable cause) {
    failure.record(cause);
    if (cause instanceof Error error) {
      throw error;
    }
    return FirstFailure.refusal(cause);
  }
}
