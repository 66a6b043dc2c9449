// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Returns the rows of a scan as keys and values, without an object for each cell. Belongs to one
 * thread.
 */
final class KeyValueScanner implements KeyValueIterator {
  private final RowScanner rows;
  private @Nullable KeyValue ahead;
  private boolean atEnd;

  KeyValueScanner(RowScanner rows) {
    this.rows = rows;
  }

  @Override
  public boolean hasNext() {
    try {
      rows.check();
      if (ahead == null && !atEnd) {
        ahead = read();
        atEnd = ahead == null;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ahead != null;
  }

  private @Nullable KeyValue read() throws IOException {
    try {
      for (byte[] row = rows.nextRow(); row != null; row = rows.nextRow()) {
        byte[] value = rows.readValue(row);
        if (value != null) {
          return new KeyValue(row, value);
        }
      }
      return null;
    } catch (IOException | RuntimeException | Error e) {
      rows.fail(e);
      throw e;
    }
  }

  @Override
  public KeyValue next() {
    KeyValue next = hasNext() ? ahead : null;
    if (next == null) {
      throw new NoSuchElementException();
    }
    ahead = null;
    return next;
  }

  @Override
  public void close() {
    ahead = null;
    atEnd = false;
    try {
      rows.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
