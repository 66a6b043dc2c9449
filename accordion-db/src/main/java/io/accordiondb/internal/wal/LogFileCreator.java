// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.LogWriting;
import io.accordiondb.internal.record.RecordWriter;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/** Creates the files of a log one after another. Not thread-safe. */
final class LogFileCreator {
  private final Storage storage;
  private final LogRegister register;
  private final LogWriting writing;
  private final long fileBytes;
  private final IntFunction<ByteBuffer> memory;

  /**
   * The number of a file that was created and may not be part of the log yet; 0 if there is none.
   */
  private long unfinishedNumber;

  LogFileCreator(
      Storage storage,
      LogRegister register,
      LogWriting writing,
      long fileBytes,
      IntFunction<ByteBuffer> memory) {
    this.storage = storage;
    this.register = register;
    this.writing = writing;
    this.fileBytes = fileBytes;
    this.memory = memory;
  }

  /** Creates a file with its first link. It is not part of the log before {@link #begin}. */
  LogFileWriter create(LogLink link) throws IOException {
    long number = register.nextNumber();
    if (number <= link.previousNumber()) {
      throw new IllegalStateException("file number " + number + " was used before");
    }
    if (unfinishedNumber > 0 && storage.exists(LogFileNames.nameOf(unfinishedNumber))) {
      storage.delete(LogFileNames.nameOf(unfinishedNumber));
    }
    ByteBuffer buffer = memory.apply(RecordWriter.BUFFER_BYTES);
    unfinishedNumber = number;
    return LogFileWriter.create(storage, writing, fileBytes, number, link, buffer);
  }

  /** Makes a file the newest of the log, durably. */
  void begin(LogFileWriter created) throws IOException {
    created.begin(storage, register);
    unfinishedNumber = 0;
  }
}
