// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.repair;

import io.accordiondb.KeyUnavailableException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;

/** Tells damage from failures that say nothing about the bytes of a file. */
final class ReadFailures {
  private static final String NO_DESCRIPTORS = "Too many open files";

  private ReadFailures() {}

  /**
   * Throws a failure after which the file may still be sound: a key or a permission is missing, or
   * the process may open no more files. Returns if the file is damaged or missing.
   */
  static void throwUnlessDamage(IOException failure) throws IOException {
    if (failure instanceof KeyUnavailableException
        || failure instanceof AccessDeniedException
        || (failure instanceof FileSystemException files
            && String.valueOf(files.getReason()).contains(NO_DESCRIPTORS))) {
      throw failure;
    }
  }
}
