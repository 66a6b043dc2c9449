// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.inspect.ManifestRecord;
import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.List;

/** Reports the contents of manifest files record by record. Belongs to one thread. */
public final class ManifestInspection {
  /** Receives the contents of a file. */
  public interface Visitor {
    /** Receives a record. */
    void record(
        long offset, long bytes, ManifestRecord.Kind kind, long number, List<VersionEdit> edits)
        throws IOException;

    /** Called when the sound records end before the file does, as after a crash. */
    void tornTail(long offset, long bytes) throws IOException;

    /** Called at damage; no call follows. */
    void damage(long offset, IOException cause) throws IOException;
  }

  private ManifestInspection() {}

  /** Returns the names of all manifest files, oldest first. */
  public static List<String> files(Storage storage) throws IOException {
    return ManifestFile.list(storage).stream().map(ManifestFile::nameOf).toList();
  }

  /** Returns the name of the manifest file with a number. */
  public static String nameOf(long fileNumber) {
    return ManifestFile.nameOf(fileNumber);
  }

  /** Shows a manifest file. */
  public static void read(Storage storage, String name, Visitor visitor) throws IOException {
    RecordFileHeader header =
        new RecordFileHeader(
            ManifestFile.MAGIC, ManifestFile.numberOf(name), RecordFileHeader.GROWING);
    try (RecordReader reader = RecordReader.open(storage, name, header)) {
      if (reader == null) {
        throw new CorruptionException(storage.path(name), 0, "a manifest", "no sound header");
      }
      while (reader.next()) {
        show(reader, visitor);
      }
      long offset = reader.soundBytes();
      long torn = reader.tornBytes();
      if (torn > 0) {
        visitor.tornTail(offset, torn);
      }
    } catch (CorruptionException e) {
      visitor.damage(e.offset(), e);
    } catch (FormatVersionException e) {
      visitor.damage(0, e);
    }
  }

  private static void show(RecordReader reader, Visitor visitor) throws IOException {
    long payloadOffset = reader.soundBytes() - reader.payload().limit();
    List<VersionEdit> edits = EditCodec.decode(reader.payload(), reader.path(), payloadOffset);
    ManifestRecord.Kind[] kinds = ManifestRecord.Kind.values();
    if (reader.count() >= kinds.length) {
      throw new CorruptionException(
          reader.path(),
          payloadOffset,
          "a record of count 0 to " + (kinds.length - 1),
          "count " + reader.count());
    }
    visitor.record(
        reader.start(),
        reader.soundBytes() - reader.start(),
        kinds[reader.count()],
        reader.firstSequence(),
        edits);
  }
}
