// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

import java.io.IOException;

/** Is shown a log file, record by record. Calls come on the thread that reads. */
public interface LogVisitor {
  /** Returns whether the cells of batches are to be decoded. */
  boolean wantsCells();

  /** Is shown a record. */
  void record(LogRecord record) throws IOException;

  /**
   * Is told that the file ends in the middle of a write, as a crash or a writer at work leaves it.
   *
   * @param offset where the sound records end
   * @param bytes what stands behind that
   */
  void tornTail(long offset, long bytes) throws IOException;

  /** Is told of damage; sound records behind it follow. */
  void damage(Damage damage) throws IOException;
}
