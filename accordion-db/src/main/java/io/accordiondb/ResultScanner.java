// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the rows that a scan finds, as of the moment at which it began; in a transaction,
 * without the writes that were rolled back since ({@link Transaction#rollbackTo}). Not thread-safe.
 * Close it after use: it holds memory and files. Closing the database releases the files; {@link
 * #next} then throws {@link DatabaseClosedException}. After the scanner itself has been closed, it
 * throws {@link ClosedException}. Closing is idempotent.
 *
 * <p>The memory that a scanner reads stays part of {@link DatabaseOptions#memoryBytes} until you
 * close it, even after a flush. If you write much while you scan, scan in pieces: set a limit,
 * close the scanner, write, and continue after the last row with the same {@link Snapshot}.
 * Otherwise your writes may wait for memory that your own scanner holds, and fail with {@link
 * WriteStalledException}.
 */
public interface ResultScanner extends Iterable<Result>, Closeable {
  /**
   * {@return the next row, or null at the end}
   *
   * @throws IOException if the storage fails
   */
  @Nullable Result next() throws IOException;

  /**
   * {@return the next rows; fewer than requested only at the end}
   *
   * @param rows the largest number of rows to return
   * @throws IOException if the storage fails
   */
  default List<Result> next(int rows) throws IOException {
    List<Result> results = new ArrayList<>();
    Result result = rows > 0 ? next() : null;
    while (result != null) {
      results.add(result);
      result = results.size() < rows ? next() : null;
    }
    return results;
  }

  /**
   * Returns an iterator over the remaining rows. It moves the scanner: each row is returned once,
   * by one of its iterators or by {@link #next}. It wraps an {@link IOException} in {@link
   * java.io.UncheckedIOException}.
   */
  @Override
  Iterator<Result> iterator();

  @Override
  void close();
}
