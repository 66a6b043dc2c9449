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

/**
 * The file CURRENT, which names the manifest file in force: one line, the name and, in hexadecimal,
 * its CRC32C, lest a flipped bit name an older manifest. It is exchanged in one step.
 */
final class CurrentFile {
  private static final String NAME = "CURRENT";
  private static final String NEW_NAME = "CURRENT.tmp";
  private static final Pattern LINE = Pattern.compile("(MANIFEST-\\d{12}) ([0-9a-f]{8})\n");
  private static final int BYTES_MAX = 64;

  private CurrentFile() {}

  static boolean exists(Storage storage) throws IOException {
    return storage.exists(NAME);
  }

  /** Returns the number of the manifest file in force. */
  static long read(Storage storage) throws IOException {
    if (!exists(storage)) {
      throw missing(storage);
    }
    String line = readLine(storage);
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches() || !lineOf(matcher.group(1)).equals(line)) {
      throw new CorruptionException(
          storage.path(NAME),
          0,
          "the name of a manifest file and its checksum",
          "\"" + line.strip() + "\"");
    }
    String manifest = matcher.group(1);
    if (!storage.exists(manifest)) {
      throw new CorruptionException(
          storage.path(NAME), 0, "the name of a file that exists", "\"" + manifest + "\"");
    }
    return ManifestFile.numberOf(manifest);
  }

  /** Makes another manifest file, which is on the device, the one in force, durably. */
  static void switchTo(Storage storage, long fileNumber) throws IOException {
    if (storage.exists(NEW_NAME)) {
      storage.delete(NEW_NAME);
    }
    try (StorageWriter file = storage.create(NEW_NAME)) {
      String line = lineOf(ManifestFile.nameOf(fileNumber));
      file.append(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
      file.sync();
    }
    storage.syncDirectory("");
    storage.rename(NEW_NAME, NAME);
    storage.syncDirectory("");
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

  private static String lineOf(String manifest) {
    CRC32C crc = new CRC32C();
    crc.update(manifest.getBytes(StandardCharsets.US_ASCII));
    return String.format(Locale.ROOT, "%s %08x\n", manifest, crc.getValue());
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
        "no file, though there is " + newest + "; bring the file back from a backup of the folder");
  }
}
