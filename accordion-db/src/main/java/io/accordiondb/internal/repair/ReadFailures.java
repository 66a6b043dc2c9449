// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.repair;

import io.accordiondb.CorruptionException;
import io.accordiondb.NotADatabaseException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** Tells damage from failures that say nothing about the bytes of a file. */
final class ReadFailures {
  /** What operating systems say of bytes that the device or the file system has lost. */
  private static final List<String> LOST_BYTES =
      List.of(
          "Input/output error",
          "Structure needs cleaning",
          "Bad message",
          "cyclic redundancy check",
          "I/O device error");

  private ReadFailures() {}

  /**
   * Throws a failure after which the file may still be sound, which is every one that is not known
   * to be damage: a newer version has written the file, a key, a permission or memory is missing,
   * the process may open no more files, or a server does not answer. Returns if the file is damaged
   * or missing.
   */
  static void throwUnlessDamage(IOException failure) throws IOException {
    if (!isDamage(failure)) {
      throw failure;
    }
  }

  private static boolean isDamage(IOException failure) {
    return failure instanceof CorruptionException
        || failure instanceof NotADatabaseException
        || failure instanceof EOFException
        || failure instanceof NoSuchFileException
        || LOST_BYTES.stream().anyMatch(reasonOf(failure)::contains);
  }

  private static String reasonOf(IOException failure) {
    // The message of a failure that names its file has its path, too.
    return String.valueOf(
        failure instanceof FileSystemException named ? named.getReason() : failure.getMessage());
  }
}
