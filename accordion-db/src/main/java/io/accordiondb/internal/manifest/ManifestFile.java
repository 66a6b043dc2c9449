// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.internal.manifest.VersionEdit.AddRangeTombstones;
import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.record.RecordWriter;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A manifest file being written. Not thread-safe.
 *
 * <p>It begins with a complete version, as edits in one or more records whose count is 0 and whose
 * sequence number says how many more of them follow. Then follows one record for each commit, with
 * count 1, numbered from 1 on. When the commit is on the device, a record without edits follows it,
 * with count 2 and the same number: a confirmation, which reaches the device later. So damage of a
 * confirmed commit is never mistaken for an unfinished commit that a crash has left.
 */
public final class ManifestFile implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ManifestFile.class);

  /** "ACCORMAN" as ASCII. */
  static final long MAGIC = 0x4143_434F_524D_414EL;

  /** The beginning of the names of manifest files. */
  public static final String PREFIX = "MANIFEST-";

  private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d{12})");

  // The meaning of the count of a record.
  private static final int SNAPSHOT = 0;
  private static final int COMMIT = 1;
  private static final int CONFIRMATION = 2;

  /** Edits in one record of a snapshot. */
  private static final int SNAPSHOT_EDITS_MAX = 1024;

  /** Bytes of the bounds of range tombstones behind which a record of a snapshot ends. */
  private static final long SNAPSHOT_BOUND_BYTES = 4 << 20;

  private final long fileNumber;
  private final RecordWriter writer;
  private long commits;
  private boolean writable = true;

  private ManifestFile(long fileNumber, RecordWriter writer) {
    this.fileNumber = fileNumber;
    this.writer = writer;
  }

  static String nameOf(long fileNumber) {
    return String.format(Locale.ROOT, PREFIX + "%012d", fileNumber);
  }

  /** Returns the number in the name of a manifest file. */
  static long numberOf(String name) {
    return Long.parseLong(name.substring(name.indexOf('-') + 1));
  }

  /** Returns the numbers of all manifest files, in order. */
  static List<Long> list(Storage storage) throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (String name : storage.list("")) {
      Matcher matcher = NAME.matcher(name);
      if (matcher.matches()) {
        numbers.add(Long.parseLong(matcher.group(1)));
      }
    }
    return numbers;
  }

  /** Begins a file with a version, and forces it, but not its name, to the device. */
  static ManifestFile create(Storage storage, long fileNumber, Version version) throws IOException {
    RecordFileHeader header = new RecordFileHeader(MAGIC, fileNumber, RecordFileHeader.GROWING);
    StorageWriter unfinished = storage.create(nameOf(fileNumber));
    boolean created = false;
    try {
      RecordWriter writer = new RecordWriter(unfinished, header);
      ManifestFile file = new ManifestFile(fileNumber, writer);
      file.appendSnapshot(version.asEdits());
      writer.sync();
      created = true;
      return file;
    } finally {
      if (!created) {
        unfinished.close();
        storage.delete(nameOf(fileNumber));
      }
    }
  }

  /** A version, and the number of commits of the file that lead to it. */
  record Replayed(Version version, long commits) {}

  /**
   * Reads the version that a file leads to. A last record that a crash has torn is left out: its
   * commit was never acknowledged.
   *
   * @param isClosed whether the file was closed in order, in which case nothing in it may be torn
   */
  static Replayed replay(Storage storage, long fileNumber, boolean isClosed) throws IOException {
    String name = nameOf(fileNumber);
    RecordFileHeader header = new RecordFileHeader(MAGIC, fileNumber, RecordFileHeader.GROWING);
    try (RecordReader reader = RecordReader.open(storage, name, header)) {
      if (reader == null) {
        throw new CorruptionException(storage.path(name), 0, "a manifest", "no sound header");
      }
      return replay(reader, isClosed);
    }
  }

  /**
   * Returns the version that the sound part of a file leads to; null if not even the version at its
   * head is sound.
   *
   * @throws FormatVersionException if a sound part has been written by a newer version of this
   *     software
   */
  static @Nullable Replayed salvage(Storage storage, long fileNumber) throws IOException {
    Version version = Version.EMPTY;
    Replayed whole = null;
    checkVersion(storage, fileNumber);
    try (RecordReader reader =
        RecordReader.openUnchecked(storage, nameOf(fileNumber), fileNumber)) {
      RecordOrder order = new RecordOrder();
      while (reader.next() && order.accepts(reader.count(), reader.firstSequence())) {
        version = apply(version, reader, reader.soundBytes() - reader.payload().limit());
        whole = order.isWhole() ? new Replayed(version, order.commits) : whole;
      }
      return whole;
    } catch (CorruptionException e) {
      LOG.warn("the manifest is read no further", e);
      return whole;
    }
  }

  /** Refuses a file whose header is sound and of a later version. */
  private static void checkVersion(Storage storage, long fileNumber) throws IOException {
    RecordFileHeader header = new RecordFileHeader(MAGIC, fileNumber, RecordFileHeader.GROWING);
    try (RecordReader reader = RecordReader.open(storage, nameOf(fileNumber), header)) {
      // The records are read whatever else the header holds.
    } catch (CorruptionException e) {
      LOG.warn("the header of a manifest is damaged", e);
    }
  }

  /**
   * Appends a commit, forces it to the device, and then confirms that.
   *
   * @param edits as {@link EditCodec} encodes them
   */
  void append(ByteBuffer edits) throws IOException {
    append(edits, commits + 1, COMMIT);
    commits++;
    writer.sync();
    try {
      append(EditCodec.encode(List.of()), commits, CONFIRMATION);
      writer.flush();
    } catch (IOException e) {
      // The commit itself is on the device.
      LOG.warn("could not confirm a commit", e);
      writable = false;
    }
  }

  /** Forces all records to the device, including confirmations. */
  void sync() throws IOException {
    writer.sync();
  }

  /** Returns how many commits the file has. */
  long commits() {
    return commits;
  }

  /** Returns whether commits can be appended; if not, the caller must start a new file. */
  boolean isWritable() {
    return writable;
  }

  /** Returns the number of the file. */
  long fileNumber() {
    return fileNumber;
  }

  /** Returns the length of the file in bytes. */
  long bytes() {
    return writer.bytes();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  private void appendSnapshot(List<VersionEdit> edits) throws IOException {
    List<List<VersionEdit>> records = new ArrayList<>();
    int from = 0;
    long bytes = 0;
    for (int to = 1; to <= edits.size(); to++) {
      bytes += edits.get(to - 1) instanceof AddRangeTombstones add ? add.boundBytes() : 0;
      if (to == edits.size() || to - from == SNAPSHOT_EDITS_MAX || bytes > SNAPSHOT_BOUND_BYTES) {
        records.add(edits.subList(from, to));
        from = to;
        bytes = 0;
      }
    }
    for (int i = 0; i < records.size(); i++) {
      append(EditCodec.encode(records.get(i)), records.size() - 1L - i, SNAPSHOT);
    }
  }

  private void append(ByteBuffer payload, long sequence, int count) throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(payload.array());
    writer.append(payload, (int) crc.getValue(), sequence, count);
  }

  private static Replayed replay(RecordReader reader, boolean isClosed) throws IOException {
    Version version = Version.EMPTY;
    RecordOrder order = new RecordOrder();
    while (reader.next()) {
      long offset = reader.soundBytes() - reader.payload().limit();
      if (!order.accepts(reader.count(), reader.firstSequence())) {
        throw new CorruptionException(
            reader.path(),
            offset,
            "the next record",
            "record " + reader.firstSequence() + " of count " + reader.count());
      }
      version = apply(version, reader, offset);
    }
    long tornBytes = reader.tornBytes();
    if (!order.isWhole() || (isClosed && tornBytes > 0)) {
      // The whole version was on the device before CURRENT named the file.
      throw reader.tornException();
    }
    if (tornBytes > 0) {
      LOG.warn(
          "{}: the last {} bytes, from offset {}, are part of a commit that a crash interrupted",
          reader.path(),
          tornBytes,
          reader.soundBytes());
    }
    return new Replayed(version, order.commits);
  }

  /** Checks which records may follow each other. */
  private static final class RecordOrder {
    private static final long UNKNOWN = -1;

    private long snapshotRecordsMissing = UNKNOWN;
    private long commits;
    private long confirmed;

    boolean accepts(int count, long sequence) {
      switch (count) {
        case SNAPSHOT -> {
          boolean fits =
              snapshotRecordsMissing == UNKNOWN || sequence == snapshotRecordsMissing - 1;
          snapshotRecordsMissing = sequence;
          return fits && sequence >= 0;
        }
        case COMMIT -> {
          return isWhole() && sequence == ++commits;
        }
        case CONFIRMATION -> {
          boolean fits = sequence == commits && sequence == confirmed + 1;
          confirmed = sequence;
          return fits;
        }
        default -> {
          return false;
        }
      }
    }

    /** Returns whether the version at the head of the file is complete. */
    boolean isWhole() {
      return snapshotRecordsMissing == 0;
    }
  }

  private static Version apply(Version version, RecordReader reader, long offset)
      throws IOException {
    List<VersionEdit> edits = EditCodec.decode(reader.payload(), reader.path(), offset);
    try {
      return version.apply(edits);
    } catch (IllegalArgumentException e) {
      throw new CorruptionException(
          reader.path(), offset, "edits that fit", String.valueOf(e.getMessage()), e);
    }
  }
}
