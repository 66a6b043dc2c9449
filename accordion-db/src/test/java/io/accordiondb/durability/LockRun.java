// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestFiles.deleteFolder;

import io.accordiondb.internal.storage.FileStorage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Locks a folder, whatever allocation has failed before. Runs among {@link AllocatingClasses}. */
final class LockRun {
  private LockRun() {}

  /** Locks a folder twice, one after the other; an allocation may fail at the first time. */
  static void lockTwice(long unused) throws IOException {
    Path folder = Files.createTempDirectory("accordion-lock");
    FileStorage storage = new FileStorage(folder);
    lock(storage);
    storage.lock("LOCK").close();
    deleteFolder(folder);
  }

  private static void lock(FileStorage storage) throws IOException {
    Closeable lock;
    try {
      lock = storage.lock("LOCK");
    } catch (OutOfMemoryError e) {
      return;
    }
    try {
      lock.close();
    } catch (OutOfMemoryError e) {
      // It is unlocked nevertheless.
    }
  }
}
