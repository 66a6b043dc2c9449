// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.accordiondb.Checkpoint;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The record of a generation in a target: lines of text, the last of which has the SHA-256 of all
 * lines before it.
 *
 * <pre>
 *   accordion-backup 1
 *   generation 3 2026-01-31T12:00:00Z 1048576
 *   checkpoint 123456 2026-01-31T12:00:01Z
 *   file SHA256 BYTES FINGERPRINT tables/000012.sst
 *   …
 *   sha256 SHA256
 * </pre>
 */
record GenerationRecord(
    long number,
    Instant created,
    long bytesAdded,
    @Nullable Checkpoint checkpoint,
    List<FileEntry> files) {
  /** The prefix of the names of generations; a number of ten digits follows. */
  static final String OBJECTS = "generations/";

  private static final String FORMAT = "accordion-backup ";
  private static final String MAGIC = FORMAT + "1";
  private static final String GENERATION = "generation";
  private static final String CHECKPOINT = "checkpoint";
  private static final String FILE = "file";
  private static final String END = "sha256 ";

  /** No generation has as many files that its record would be as large. */
  private static final int BYTES_MAX = 256 << 20;

  GenerationRecord {
    files = List.copyOf(files);
  }

  static String objectOf(long number) {
    return NumberedObjects.nameOf(OBJECTS, number);
  }

  long bytes() {
    return files.stream().mapToLong(FileEntry::bytes).sum();
  }

  Generation generation() {
    return new Generation(number, created, files.size(), bytes(), bytesAdded, checkpoint);
  }

  byte[] encode() {
    StringBuilder text = new StringBuilder(MAGIC).append('\n');
    line(text, GENERATION, number, created, bytesAdded);
    if (checkpoint != null) {
      line(text, CHECKPOINT, checkpoint.sequence(), checkpoint.time());
    }
    for (FileEntry file : files) {
      line(text, FILE, file.sha256(), file.bytes(), file.fingerprint(), file.name());
    }
    String sum = FileDigest.sha256(text.toString().getBytes(UTF_8));
    return text.append(END).append(sum).append('\n').toString().getBytes(UTF_8);
  }

  private static void line(StringBuilder text, String kind, Object... fields) {
    text.append(kind);
    for (Object field : fields) {
      text.append(' ').append(field);
    }
    text.append('\n');
  }

  /**
   * Reads a generation.
   *
   * @throws java.nio.file.NoSuchFileException if there is none with this number
   * @throws BackupDamagedException if it is not what was written, or if a newer version of this
   *     software has written it
   */
  static GenerationRecord read(BackupTarget target, long number) throws IOException {
    String object = objectOf(number);
    byte[] bytes;
    try (InputStream in = target.read(object)) {
      bytes = in.readNBytes(BYTES_MAX);
    }
    try {
      String[] lines = soundLines(new String(bytes, UTF_8));
      if (lines[0].startsWith(FORMAT) && !lines[0].equals(MAGIC)) {
        throw new BackupDamagedException(
            target,
            object,
            "is from a newer version of this software (\""
                + lines[0]
                + "\"); use that version, and do not delete the generation");
      }
      GenerationRecord read = decode(lines);
      if (read.number != number) {
        throw new IllegalArgumentException("is of generation " + read.number);
      }
      return read;
    } catch (IllegalArgumentException | DateTimeException e) {
      BackupDamagedException damaged =
          new BackupDamagedException(target, object, "is damaged: " + e.getMessage());
      damaged.initCause(e);
      throw damaged;
    }
  }

  /** Returns the lines in front of the last one, which has their checksum in all versions. */
  private static String[] soundLines(String text) {
    int end = text.lastIndexOf(END);
    if (end < 0 || !text.endsWith("\n")) {
      throw new IllegalArgumentException("its end is missing");
    }
    String sum = text.substring(end + END.length()).strip();
    if (!sum.equals(FileDigest.sha256(text.substring(0, end).getBytes(UTF_8)))) {
      throw new IllegalArgumentException("its checksum does not match");
    }
    return text.substring(0, end).split("\n");
  }

  private static GenerationRecord decode(String[] lines) {
    if (!lines[0].equals(MAGIC)) {
      throw new IllegalArgumentException(
          "it begins with \"" + lines[0] + "\", expected \"" + MAGIC + "\"");
    }
    String[] head = fieldsOf(lines, 1, GENERATION, 4);
    Checkpoint checkpoint = null;
    int firstFile = 2;
    if (lines.length > 2 && lines[2].startsWith(CHECKPOINT + ' ')) {
      String[] fields = fieldsOf(lines, 2, CHECKPOINT, 3);
      checkpoint = new Checkpoint(Long.parseLong(fields[1]), Instant.parse(fields[2]));
      firstFile++;
    }
    List<FileEntry> files = new ArrayList<>();
    for (int i = firstFile; i < lines.length; i++) {
      String[] fields = fieldsOf(lines, i, FILE, 5);
      FileEntry file = new FileEntry(fields[4], Long.parseLong(fields[2]), fields[1], fields[3]);
      // A target may resolve the name of an object as a path.
      if (!FileEntry.isObject(file.object()) || file.bytes() < 0) {
        throw new IllegalArgumentException("line " + (i + 1) + " names no object");
      }
      files.add(file);
    }
    return new GenerationRecord(
        Long.parseLong(head[1]),
        Instant.parse(head[2]),
        Long.parseLong(head[3]),
        checkpoint,
        files);
  }

  private static String[] fieldsOf(String[] lines, int line, String kind, int count) {
    String[] fields = line < lines.length ? lines[line].split(" ", count) : new String[0];
    if (fields.length != count || !fields[0].equals(kind)) {
      throw new IllegalArgumentException("line " + (line + 1) + " is no " + kind);
    }
    return fields;
  }
}
