// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.crypt;

import io.accordiondb.FormatVersionException;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.regex.Pattern;

/** The file that marks a folder that has, or had, encrypted files. */
final class EncryptionMark {
  private static final String FORMAT = "accordion-encrypted ";
  private static final String TEXT = FORMAT + "1\n";
  private static final int BYTES_MAX = 64;

  private static final Pattern MANIFEST = Pattern.compile("CURRENT|MANIFEST-\\d{12}");

  private EncryptionMark() {}

  /** Returns what the file holds. */
  static ByteBuffer text() {
    return ByteBuffer.wrap(TEXT.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Returns whether a folder is marked. A crash may have left the file without its text.
   *
   * @throws FormatVersionException if the mark is of a newer version
   */
  static boolean isIn(Storage storage) throws IOException {
    if (!storage.exists(EncryptedStorage.MARKER)) {
      return false;
    }
    try (StorageReader file = storage.open(EncryptedStorage.MARKER)) {
      ByteBuffer text = ByteBuffer.allocate((int) Math.min(BYTES_MAX, file.size()));
      file.readFully(text, 0);
      String found = new String(text.array(), StandardCharsets.US_ASCII);
      if (found.startsWith(FORMAT) && !found.equals(TEXT)) {
        throw new FormatVersionException(
            storage.path(EncryptedStorage.MARKER), "\"" + found.strip() + "\"");
      }
    } catch (NoSuchFileException e) {
      // An opening without a current key has deleted it just now.
      return false;
    }
    return true;
  }

  /**
   * Returns whether the manifest, or the file that names it, is encrypted. If the folder has no
   * mark, it has lost it, and its files must not be taken for damaged plain ones.
   */
  static boolean isMissingIn(Storage storage) throws IOException {
    for (String name : rootFiles(storage)) {
      if (MANIFEST.matcher(name).matches()) {
        try (StorageReader file = storage.open(name)) {
          if (EncryptionHeader.isEncrypted(file)) {
            return true;
          }
        } catch (NoSuchFileException e) {
          // An open database has deleted it just now.
        }
      }
    }
    return false;
  }

  private static List<String> rootFiles(Storage storage) throws IOException {
    try {
      return storage.list("");
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }
}
