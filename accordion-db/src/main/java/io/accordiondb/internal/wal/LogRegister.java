// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.internal.record.RecordMark;
import java.io.IOException;
import java.util.Collection;

/**
 * Records durably which files belong to the log, so that a missing file is noticed. The log adds a
 * file when its name and its first link are on the device, or its name and header as a prepared
 * one, and before it takes a batch. It removes a file before the file is deleted. Thread-safe.
 */
public interface LogRegister {
  /** Allocates a number above all numbers returned before. */
  long nextNumber() throws IOException;

  /**
   * Records of which files the log consists when it is opened.
   *
   * @param kept the files that are part of the log
   * @param leftOut the numbers of other files that are there, and are about to be deleted
   */
  void begin(Collection<KnownLog> kept, Collection<Long> leftOut) throws IOException;

  /**
   * Records files behind all others, or that a prepared file has begun, oldest first. If that
   * fails, they may be recorded on the device all the same, until {@link #remove} has succeeded.
   * After an {@link OutOfMemoryError} nothing is recorded, or all later calls fail.
   */
  void add(Collection<KnownLog> files) throws IOException;

  /** Records that files are not part of the log, whether or not they were. */
  void remove(Collection<Long> fileNumbers) throws IOException;

  /**
   * Returns the durable commits of the manifest; the same object as long as there is no further
   * commit.
   */
  RecordMark mark();

  /**
   * Called when the log continues in a new file, or will soon. {@link WriteAheadLog#upkeep} should
   * run then, on another thread.
   */
  void upkeepIsDue();
}
