// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store that is measured. Rows have the same number of fields. Thread-safe. */
public interface Engine extends Closeable {
  /** Returns a session for one thread. */
  Session session() throws IOException;

  /** Returns what the store has done since it was opened. */
  EngineFigures figures() throws IOException;

  /**
   * Returns what the processes have used since they were started in which the store lives; null if
   * it lives in this process.
   */
  default @Nullable ServerFigures servers() throws IOException {
    return null;
  }

  /**
   * Flushes the memory and merges all files of each store into one; returns when that is done.
   * Engines that cannot be asked to do nothing.
   */
  default void majorCompact() throws IOException {}

  /** Returns in one line how the store is set up, with its version. */
  String settings();

  @Override
  void close() throws IOException;

  /** The operations of one thread on the store. Not thread-safe. */
  interface Session extends Closeable {
    /**
     * Writes rows atomically.
     *
     * @param keys the rows' keys; the first {@code count} are used
     * @param values for each row, the values of its fields
     */
    void write(byte[][] keys, byte[][][] values, int count) throws IOException;

    /** Reads one field of a row; returns its value, null if it is not there. */
    byte @Nullable [] read(byte[] key, int field) throws IOException;

    /**
     * Reads the rows that a scan looks for, whole.
     *
     * @throws EngineUnavailableException if the store has no scans of this kind
     */
    List<Row> scan(ScanRequest scan) throws IOException;

    /**
     * Adds 1 to counters atomically, without reading them.
     *
     * @param keys the first {@code count} are used
     * @throws EngineUnavailableException if the store has no merge operator
     */
    default void count(byte[][] keys, int count) throws IOException {
      throw new EngineUnavailableException("the engine has no merge operator for counters");
    }

    /** Returns a counter; 0 if it is not there. */
    default long counter(byte[] key) throws IOException {
      throw new EngineUnavailableException("the engine has no merge operator for counters");
    }

    /** Deletes a row, if it is there. */
    void delete(byte[] key) throws IOException;

    @Override
    void close() throws IOException;
  }

  /**
   * A row that was read.
   *
   * @param key its key
   * @param values the values of its fields
   */
  record Row(byte[] key, byte[][] values) {}
}
