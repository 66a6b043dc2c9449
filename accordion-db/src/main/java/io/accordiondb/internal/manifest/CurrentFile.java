// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.CorruptionException;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import io.accordiondb.internal.storage.StorageWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The file CURRENT, which names the current manifest file in one line: the name and, in
 * hexadecimal, a CRC32C, so that a flipped bit cannot name an older manifest. It is replaced
 * atomically.
 *
 * <p>An orderly close also writes the lengths of the manifest file and of the newest log file to
 * the line. Neither file grows after that, so a truncation of them is noticed.
 */
public final class CurrentFile {
  /** The name of the file. Without it, a folder is no database. */
  public static final String NAME = "CURRENT";

  /** The name of the file that replaces it once that is complete. */
  public static final String NEW_NAME = NAME + ".tmp";

  private static final Pattern LINE =
      Pattern.compile("(MANIFEST-\\d{12})(?: closed (\\d{1,18}) (\\d{1,18}))? [0-9a-f]{8}\n");
  private static final int BYTES_MAX = 128;

  /**
   * The content of CURRENT.
   *
   * @param manifest the number of the manifest file in force
   * @param lengths the lengths of the files if the database was closed in order; else null
   */
  record Current(long manifest, @Nullable Lengths lengths) {}

  /** The lengths of the manifest file and of the newest log file. */
  record Lengths(long manifest, long log) {}

  private CurrentFile() {}

  static boolean exists(Storage storage) throws IOException {
    return storage.exists(NAME);
  }

  /**
   * Reads which manifest file is in force.
   *
   * @throws CorruptionException if the file is damaged, or the manifest is not as long as it says
   */
  static Current read(Storage storage) throws IOException {
    if (!exists(storage)) {
      throw missing(storage);
    }
    String line = readLine(storage);
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches() || !withCrc(line.substring(0, line.lastIndexOf(' '))).equals(line)) {
      throw new CorruptionException(
          storage.path(NAME),
          0,
          "the name of a manifest file and its checksum",
          "\"" + line.strip() + "\"; repair the database");
    }
    String manifest = matcher.group(1);
    if (!storage.exists(manifest)) {
      throw new CorruptionException(
          storage.path(NAME),
          0,
          "the name of a file that exists",
          "\"" + manifest + "\"; repair the database");
    }
    long number = ManifestFile.numberOf(manifest);
    if (matcher.group(2) == null) {
      return new Current(number, null);
    }
    long bytes = Long.parseLong(matcher.group(2));
    if (storage.size(manifest) != bytes) {
      throw new CorruptionException(
          storage.path(manifest),
          Math.min(bytes, storage.size(manifest)),
          bytes + " bytes, as when the database was closed",
          storage.size(manifest) + " bytes; repair the database");
    }
    return new Current(number, new Lengths(bytes, Long.parseLong(matcher.group(3))));
  }

  /** Prepares {@link #switchTo}, and leaves the current manifest file in force. */
  static void prepare(Storage storage, long fileNumber) throws IOException {
    writeNew(storage, withCrc(ManifestFile.nameOf(fileNumber)));
  }

  /** Durably puts the prepared manifest file, which must be on the device, in force. */
  static void switchTo(Storage storage) throws IOException {
    storage.syncDirectory("");
    storage.rename(NEW_NAME, NAME);
    storage.syncDirectory("");
  }

  /**
   * Same as {@link #switchTo(Storage)}; on the way, the file replaces one that marks the folder.
   */
  static void switchTo(Storage storage, String mark) throws IOException {
    storage.rename(NEW_NAME, mark);
    storage.syncDirectory("");
    storage.rename(mark, NAME);
    storage.syncDirectory("");
  }

  /** Durably records that the database was closed; its files must not grow any more. */
  static void close(Storage storage, long fileNumber, Lengths lengths) throws IOException {
    writeNew(
        storage,
        withCrc(
            ManifestFile.nameOf(fileNumber) + " closed " + lengths.manifest + " " + lengths.log));
    switchTo(storage);
  }

  private static void writeNew(Storage storage, String line) throws IOException {
    if (storage.exists(NEW_NAME)) {
      storage.delete(NEW_NAME);
    }
    try (StorageWriter file = storage.create(NEW_NAME)) {
      file.append(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
      file.sync();
    }
  }

  private static String readLine(Storage storage) throws IOException {
    try (StorageReader file = storage.open(NAME)) {
      long size = file.size();
      if (size > BYTES_MAX) {
        throw new CorruptionException(storage.path(NAME), 0, "one line", size + " bytes");
      }
      byte[] bytes = new byte[(int) size];
      file.readFully(ByteBuffer.wrap(bytes), 0);
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
  }

  private static String withCrc(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.US_ASCII));
    return String.format(Locale.ROOT, "%s %08x\n", text, crc.getValue());
  }

  private static IOException missing(Storage storage) throws IOException {
    List<Long> manifests = ManifestFile.list(storage);
    if (manifests.isEmpty()) {
      return new NotADatabaseException(storage.path(""), "it has no file " + NAME);
    }
    String newest = ManifestFile.nameOf(manifests.get(manifests.size() - 1));
    return new CorruptionException(
        storage.path(NAME),
        0,
        "the name of the manifest in force",
        "no file, though there is " + newest + "; repair the database");
  }
}
