// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Cursor;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.read.CellKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The base of cursors over the rows that a scan finds; a subclass decides in which form it presents
 * a row.
 */
abstract class OpenCursor implements Cursor {
  private static final byte[] LOWEST = {};

  private final IoSupplier<RowScanner> opener;
  private RowScanner rows;

  /** The current row; null if the cursor is not on a row. */
  private byte @Nullable [] row;

  /**
   * Creates a cursor that is not on a row.
   *
   * @param opener begins the scan, again for each refresh unless it is of a snapshot
   */
  OpenCursor(IoSupplier<RowScanner> opener) throws IOException {
    this.opener = opener;
    this.rows = opener.get();
  }

  /**
   * Loads the part of a row that the cursor presents. The scanner has just reached the row. Returns
   * false if the scan selects nothing of it; the scanner must then have left the row.
   */
  abstract boolean load(RowScanner scanner, byte[] row) throws IOException;

  /** Makes the scanner leave a row that was loaded, if it is still there. */
  abstract void leave(RowScanner scanner, byte[] row) throws IOException;

  @Override
  public final boolean first() throws IOException {
    return seek(LOWEST);
  }

  @Override
  public final boolean last() throws IOException {
    return moveBefore(null);
  }

  @Override
  public final boolean seek(byte[] key) throws IOException {
    Objects.requireNonNull(key, "key");
    rows.check();
    return move(() -> rows.seek(key));
  }

  @Override
  public final boolean seekBackward(byte[] key) throws IOException {
    return moveBefore(CellKey.rowAfter(Objects.requireNonNull(key, "key")));
  }

  private boolean moveBefore(byte @Nullable [] limit) throws IOException {
    rows.check();
    return move(() -> rows.seekBefore(limit));
  }

  @Override
  public final boolean next() throws IOException {
    byte[] from = row();
    rows.check();
    return move(
        () -> {
          if (rows.isDownwards()) {
            rows.seek(CellKey.rowAfter(from));
          } else {
            leave(rows, from);
          }
        });
  }

  @Override
  public final boolean previous() throws IOException {
    byte[] from = row();
    rows.check();
    return move(
        () -> {
          if (!rows.isDownwards()) {
            rows.seekBefore(from);
          }
        });
  }

  /** Repositions the scanner, and moves to the first row from there with selected cells. */
  private boolean move(IoRunnable reposition) throws IOException {
    row = null;
    try {
      reposition.run();
      byte[] next = rows.nextRow();
      while (next != null && !load(rows, next)) {
        next = rows.nextRow();
      }
      row = next;
      return next != null;
    } catch (IOException | RuntimeException | Error e) {
      rows.fail(e);
      throw e;
    }
  }

  @Override
  public final boolean refresh() throws IOException {
    rows.checkOpen();
    RowScanner old = rows;
    byte[] before = row;
    rows = old.isOfSnapshot() ? old.again() : opener.get();
    row = null;
    old.close();
    return before != null && seek(before);
  }

  @Override
  public final boolean isValid() {
    rows.checkOpen();
    return row != null;
  }

  @Override
  public final ByteBuffer key() {
    return ByteBuffer.wrap(row()).asReadOnlyBuffer();
  }

  @Override
  public final byte[] keyBytes() {
    return row().clone();
  }

  /** Returns the current row. */
  final byte[] row() {
    rows.checkOpen();
    if (row == null) {
      throw new IllegalStateException(
          "the cursor of table " + rows.tableName() + " is on no key; move it first");
    }
    return row;
  }

  /** Returns the scanner, which is at the position of the cursor. */
  final RowScanner rows() {
    return rows;
  }

  @Override
  public final void close() {
    try {
      rows.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
