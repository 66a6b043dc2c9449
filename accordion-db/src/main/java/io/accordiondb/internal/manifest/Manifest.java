// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.CorruptionException;
import io.accordiondb.DatabaseFailedException;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.record.RecordWriter;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import io.accordiondb.internal.storage.StorageWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The open manifest: one version, and the file that its edits are appended to. Thread-safe; commits
 * go one after another.
 *
 * <p>The file CURRENT names the manifest file. A manifest file begins with the edits that make up a
 * whole version; when it has grown to several times that size, and whenever a database is opened, a
 * new one is begun and CURRENT is switched to it in one step.
 *
 * <p>Numbers for files, tables and regions come from one sequence, of which a block at a time is
 * recorded as given out, so that none is given out twice whatever crashes.
 */
public final class Manifest implements Closeable {
  private static final String CURRENT = "CURRENT";
  private static final String CURRENT_NEW = "CURRENT.tmp";

  /** "ACCORMAN" as ASCII. */
  private static final long MAGIC = 0x4143_434F_524D_414EL;

  private static final Pattern NAME = Pattern.compile("MANIFEST-(\\d{12})");
  private static final int CURRENT_BYTES_MAX = 64;
  private static final long NUMBER_BLOCK = 64;
  private static final int GROWTH = 4;
  private static final long FILE_BYTES_MIN = 256 << 10;

  private final Storage storage;
  private final Version version;

  // Guarded by this.
  private @Nullable RecordWriter writer;
  private long snapshotBytes;
  private long editSequence;
  private long nextNumber;
  private @Nullable Throwable failure;

  private Manifest(Storage storage, Version version) {
    this.storage = storage;
    this.version = version;
    this.nextNumber = version.nextNumber();
  }

  /** Returns whether a folder has a manifest. */
  public static boolean exists(Storage storage) throws IOException {
    return storage.exists(CURRENT);
  }

  /** Begins the manifest of a new database. */
  public static Manifest create(Storage storage) throws IOException {
    Manifest manifest = new Manifest(storage, new Version());
    manifest.beginFile();
    return manifest;
  }

  /** Opens the manifest that is there. */
  public static Manifest open(Storage storage) throws IOException {
    String name = readCurrent(storage);
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      throw new CorruptionException(
          storage.path(CURRENT), 0, "the name of a manifest file", "\"" + name + "\"");
    }
    if (!storage.exists(name)) {
      throw new CorruptionException(
          storage.path(CURRENT), 0, "the name of a file that exists", "\"" + name + "\"");
    }
    long fileNumber = Long.parseLong(matcher.group(1));
    Manifest manifest = new Manifest(storage, replay(storage, name, fileNumber));
    manifest.nextNumber = Math.max(manifest.nextNumber, fileNumber + 1);
    manifest.beginFile();
    return manifest;
  }

  private static String readCurrent(Storage storage) throws IOException {
    if (!storage.exists(CURRENT)) {
      throw new NotADatabaseException(storage.path(""), "it has no file " + CURRENT);
    }
    try (StorageReader reader = storage.open(CURRENT)) {
      if (reader.size() > CURRENT_BYTES_MAX) {
        throw new CorruptionException(
            storage.path(CURRENT), 0, "a short name", reader.size() + " bytes");
      }
      byte[] bytes = new byte[(int) reader.size()];
      reader.readFully(ByteBuffer.wrap(bytes), 0);
      return new String(bytes, StandardCharsets.US_ASCII).strip();
    }
  }

  private static Version replay(Storage storage, String name, long fileNumber) throws IOException {
    Version version = new Version();
    try (RecordReader reader = RecordReader.open(storage, name, MAGIC, fileNumber)) {
      if (reader == null) {
        throw new CorruptionException(storage.path(name), 0, "a manifest", "less than a header");
      }
      long records = 0;
      long offset = reader.soundBytes();
      while (reader.next()) {
        try {
          EditCodec.decode(reader.payload()).forEach(version::apply);
        } catch (IOException | IllegalArgumentException e) {
          throw new CorruptionException(
              reader.path(), offset, "edits that fit", String.valueOf(e.getMessage()), e);
        }
        records++;
        offset = reader.soundBytes();
      }
      // The first record was durable before CURRENT named the file.
      if (reader.isCut() && records == 0) {
        throw reader.cutException();
      }
      if (records == 0) {
        throw new CorruptionException(reader.path(), offset, "a version", "the end of the file");
      }
    }
    return version;
  }

  /** Returns the version; not to be read beside commits. */
  public Version version() {
    return version;
  }

  /**
   * Makes edits durable, all or none, and then applies them.
   *
   * @throws DatabaseFailedException if this or an earlier commit could not be written; nobody then
   *     knows what the device holds, and the database must be opened anew
   */
  public synchronized void commit(List<VersionEdit> edits) throws IOException {
    checkAlive();
    try {
      if (writer == null || writer.bytes() > Math.max(FILE_BYTES_MIN, GROWTH * snapshotBytes)) {
        beginFile();
      }
      append(edits);
    } catch (IOException | RuntimeException e) {
      failure = e;
      throw new DatabaseFailedException(e);
    }
    edits.forEach(version::apply);
  }

  /** Returns a number that was never returned before, for a file, a table or a region. */
  public synchronized long nextNumber() throws IOException {
    if (nextNumber >= version.nextNumber()) {
      commit(List.of(new VersionEdit.SetNextNumber(nextNumber + NUMBER_BLOCK)));
    }
    return nextNumber++;
  }

  /** Returns the first failure, or null. */
  public synchronized @Nullable Throwable failure() {
    return failure;
  }

  @Override
  public synchronized void close() throws IOException {
    if (writer != null) {
      writer.close();
      writer = null;
    }
  }

  private void checkAlive() throws DatabaseFailedException {
    if (failure != null) {
      throw new DatabaseFailedException(failure);
    }
  }

  private void append(List<VersionEdit> edits) throws IOException {
    RecordWriter target = writer;
    if (target == null) {
      throw new IllegalStateException("the manifest is closed");
    }
    ByteBuffer payload = EditCodec.encode(edits);
    CRC32C crc = new CRC32C();
    crc.update(payload.duplicate());
    target.append(payload, (int) crc.getValue(), ++editSequence, 1);
    target.sync();
  }

  /** Begins a file with the whole version, and switches to it. */
  private void beginFile() throws IOException {
    if (writer != null) {
      writer.close();
      writer = null;
    }
    long number = nextNumber++;
    version.apply(new VersionEdit.SetNextNumber(nextNumber + NUMBER_BLOCK));
    String name = String.format("MANIFEST-%012d", number);
    if (storage.exists(name)) {
      // Left by a crash before CURRENT was switched to it.
      storage.delete(name);
    }
    writer = new RecordWriter(storage.create(name), RecordFileHeader.first(MAGIC, number));
    append(version.asEdits());
    snapshotBytes = writer.bytes();
    switchTo(name);
    deleteOthers(name);
  }

  private void switchTo(String name) throws IOException {
    if (storage.exists(CURRENT_NEW)) {
      storage.delete(CURRENT_NEW);
    }
    try (StorageWriter current = storage.create(CURRENT_NEW)) {
      current.append(ByteBuffer.wrap((name + "\n").getBytes(StandardCharsets.US_ASCII)));
      current.sync();
    }
    storage.syncDirectory("");
    storage.rename(CURRENT_NEW, CURRENT);
    storage.syncDirectory("");
  }

  private void deleteOthers(String name) throws IOException {
    for (String other : new ArrayList<>(storage.list(""))) {
      if (NAME.matcher(other).matches() && !other.equals(name)) {
        storage.delete(other);
      }
    }
  }
}
