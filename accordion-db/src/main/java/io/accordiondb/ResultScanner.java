// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the rows that a scan finds, as of the moment at which it began. Not thread-safe; to be
 * closed, because it keeps memory and files from being given back. Closing the database gives back
 * the files; {@link #next} then throws {@link DatabaseClosedException}, and {@link ClosedException}
 * once the scanner itself has been closed. Closing is idempotent.
 *
 * <p>The memory that a scanner reads stays part of {@link DatabaseOptions#memoryBytes} until you
 * close it, also after a flush. If you write much while you scan, scan in pieces: set a limit,
 * close the scanner, write, and go on from the last row with the same {@link Snapshot}. Otherwise
 * your writes may wait for memory that your own scanner keeps, and fail with {@link
 * WriteStalledException}.
 */
public interface ResultScanner extends Iterable<Result>, Closeable {
  /** Returns the next row, or null at the end. */
  @Nullable Result next() throws IOException;

  /** Returns the next rows, fewer than asked for only at the end. */
  default List<Result> next(int rows) throws IOException {
    List<Result> results = new ArrayList<>();
    Result result = rows > 0 ? next() : null;
    while (result != null) {
      results.add(result);
      result = results.size() < rows ? next() : null;
    }
    return results;
  }

  /** Returns an iterator over the remaining rows, which wraps what {@link #next} throws. */
  @Override
  default Iterator<Result> iterator() {
    return new Iterator<>() {
      private @Nullable Result ahead;

      @Override
      public boolean hasNext() {
        if (ahead == null) {
          try {
            ahead = ResultScanner.this.next();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
        return ahead != null;
      }

      @Override
      public Result next() {
        if (!hasNext() || ahead == null) {
          throw new NoSuchElementException();
        }
        Result result = ahead;
        ahead = null;
        return result;
      }
    };
  }

  @Override
  void close();
}
