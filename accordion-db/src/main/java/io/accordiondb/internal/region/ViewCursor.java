// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.internal.manifest.FileView;
import io.accordiondb.internal.read.CellKey;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Iterates over the cells of a file within the bounds of a view. Belongs to one thread. */
final class ViewCursor implements CellCursor {
  private final CellCursor cursor;
  private final FileView view;
  private boolean valid;

  /** Creates a cursor that owns a cursor of the file. */
  ViewCursor(CellCursor cursor, FileView view) {
    this.cursor = cursor;
    this.view = view;
  }

  @Override
  public boolean seekToFirst() throws IOException {
    valid = false;
    boolean found =
        view.startKey().length == 0
            ? cursor.seekToFirst()
            : cursor.seek(CellKey.firstOfRow(view.startKey()).buffer(), 0);
    valid = found && isBeforeEnd();
    return valid;
  }

  @Override
  public boolean seek(ByteBuffer key, int keyOffset) throws IOException {
    if (CellComparator.compareRow(key, keyOffset, view.startKey()) < 0) {
      return seekToFirst();
    }
    valid = false;
    valid = cursor.seek(key, keyOffset) && isBeforeEnd();
    return valid;
  }

  @Override
  public boolean seekBefore(ByteBuffer key, int keyOffset) throws IOException {
    valid = false;
    byte[] end = view.endKey();
    boolean found =
        end.length > 0 && CellComparator.compareRow(key, keyOffset, end) >= 0
            ? cursor.seekBefore(CellKey.firstOfRow(end).buffer(), 0)
            : cursor.seekBefore(key, keyOffset);
    valid = found && isFromStart();
    return valid;
  }

  @Override
  public boolean startsRow() throws IOException {
    return cursor.startsRow();
  }

  @Override
  public boolean previous() throws IOException {
    valid = false;
    valid = cursor.previous() && isFromStart();
    return valid;
  }

  @Override
  public boolean next() throws IOException {
    valid = false;
    valid = cursor.next() && isBeforeEnd();
    return valid;
  }

  @Override
  public boolean isValid() {
    return valid;
  }

  @Override
  public ByteBuffer buffer() {
    return cursor.buffer();
  }

  @Override
  public int offset() {
    return cursor.offset();
  }

  @Override
  public int length() {
    return cursor.length();
  }

  @Override
  public long sequenceNumber() {
    return view.sequence() > 0 ? view.sequence() : cursor.sequenceNumber();
  }

  @Override
  public void close() {
    valid = false;
    cursor.close();
  }

  private boolean isFromStart() {
    return CellComparator.compareRow(cursor.buffer(), cursor.offset(), view.startKey()) >= 0;
  }

  private boolean isBeforeEnd() {
    byte[] end = view.endKey();
    return end.length == 0 || CellComparator.compareRow(cursor.buffer(), cursor.offset(), end) < 0;
  }
}
