// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.cell.CellCursor;
import io.accordiondb.cell.CellSource;
import io.accordiondb.internal.sstable.SortedTable;
import io.accordiondb.internal.sstable.SortedTableProperties;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A sorted table that belongs to a store. Immutable; shares the table's reference count. */
public final class StoreFile {
  private final SortedTable table;
  private final SortedTableProperties properties;

  /** Wraps an open table, whose reference goes over to the caller of {@link #release}. */
  public StoreFile(SortedTable table) {
    this.table = table;
    this.properties = table.properties();
  }

  /** Returns the number that names the file. */
  public long fileNumber() {
    return properties.fileNumber();
  }

  /** Returns the highest sequence number in the file. */
  public long maxSequence() {
    return properties.sequenceMax();
  }

  /** Returns the length of the file in bytes. */
  public long bytes() {
    return properties.fileBytes();
  }

  /** Returns what the file says about itself. */
  public SortedTableProperties properties() {
    return properties;
  }

  /** Returns the file as a source of cells. */
  public CellSource source(boolean fillCache) {
    return new Source(fillCache);
  }

  /** Deletes the file when its last reader has gone. The caller holds a reference. */
  void deleteWhenUnused(Runnable delete) {
    table.markObsolete(delete);
  }

  /** Adds a holder; the caller is one. */
  public void retain() {
    table.retain();
  }

  /** Removes a holder; the last closes the file. */
  public void release() {
    table.release();
  }

  private final class Source implements CellSource {
    private final boolean fillCache;

    Source(boolean fillCache) {
      this.fillCache = fillCache;
    }

    @Override
    public CellCursor cursor() {
      return table.cursor(fillCache);
    }

    @Override
    public boolean mayContainRow(ByteBuffer key, int keyOffset) throws IOException {
      return table.mayContainRow(key, keyOffset);
    }

    @Override
    public boolean mayContainColumn(ByteBuffer key, int keyOffset) throws IOException {
      return table.mayContainColumn(key, keyOffset);
    }

    @Override
    public long cellCount() {
      return properties.cellCount();
    }

    @Override
    public long deleteMarkerCount() {
      return properties.markerCount();
    }

    @Override
    public long minTimestamp() {
      return properties.timestampMin();
    }

    @Override
    public long maxTimestamp() {
      return properties.timestampMax();
    }

    @Override
    public long minSequence() {
      return properties.sequenceMin();
    }

    @Override
    public long maxSequence() {
      return properties.sequenceMax();
    }
  }
}
