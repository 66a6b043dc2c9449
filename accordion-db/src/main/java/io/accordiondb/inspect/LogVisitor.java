// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

import java.io.IOException;

/** Receives the records of a log file, on the thread that reads. */
public interface LogVisitor {
  /** {@return whether the cells of batches are decoded} */
  boolean wantsCells();

  /**
   * Receives a sound record. Records come in the order of the file.
   *
   * @param record the record; its content may be kept after the call
   * @throws IOException if the storage fails
   */
  void record(LogRecord record) throws IOException;

  /**
   * Receives the torn end of a file that a crash, or a writer at work, has left in the middle of a
   * write.
   *
   * @param offset the offset in bytes at which the sound records end
   * @param bytes the number of bytes after them
   * @throws IOException if the storage fails
   */
  void tornTail(long offset, long bytes) throws IOException;

  /**
   * Receives damage. Reading continues with the sound records after it.
   *
   * @param damage place and description of the damage
   * @throws IOException if the storage fails
   */
  void damage(Damage damage) throws IOException;
}
