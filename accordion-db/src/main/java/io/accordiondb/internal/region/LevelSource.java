// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.internal.read.CellKey;
import io.accordiondb.internal.read.PartsCursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Presents the files of a run, which share no rows, as one source; a reader has one of them open at
 * a time. Immutable.
 */
final class LevelSource implements CellSource {
  private final List<StoreFile> files;
  private final List<CellSource> sources;
  private final long cellCount;
  private final long deleteMarkerCount;
  private final long minTimestamp;
  private final long maxTimestamp;
  private final long minSequence;
  private final long maxSequence;

  /** Creates a source of files in the order of their rows. */
  LevelSource(List<StoreFile> files, boolean fillCache) {
    this(files, files.stream().map(file -> file.source(fillCache)).toList());
  }

  private LevelSource(List<StoreFile> files, List<CellSource> sources) {
    this.files = files;
    this.sources = sources;
    this.cellCount = sum(CellSource::cellCount);
    this.deleteMarkerCount = sum(CellSource::deleteMarkerCount);
    this.minTimestamp = min(CellSource::minTimestamp);
    this.maxTimestamp = max(CellSource::maxTimestamp);
    this.minSequence = min(CellSource::minSequence);
    this.maxSequence = max(CellSource::maxSequence);
  }

  @Override
  public CellSource since(long timestamp) {
    if (minTimestamp >= timestamp || maxTimestamp < timestamp) {
      return this;
    }
    List<StoreFile> young = new ArrayList<>(files.size());
    List<CellSource> youngSources = new ArrayList<>(files.size());
    for (int i = 0; i < files.size(); i++) {
      if (sources.get(i).maxTimestamp() >= timestamp) {
        young.add(files.get(i));
        youngSources.add(sources.get(i));
      }
    }
    return young.size() == files.size() ? this : new LevelSource(young, youngSources);
  }

  @Override
  public CellCursor cursor() {
    return new Cursor();
  }

  @Override
  public boolean mayContainRow(ByteBuffer key, int keyOffset) throws IOException {
    int index = indexOf(key, keyOffset);
    return index < sources.size() && sources.get(index).mayContainRow(key, keyOffset);
  }

  @Override
  public boolean mayContainRows(byte[] first, byte[] end) {
    int index = indexOf(CellKey.firstOfRow(first).buffer(), 0);
    // A bound that is longer than any row has the key of the row before it.
    while (index < sources.size() && files.get(index).endsBefore(first)) {
      index++;
    }
    return index < sources.size() && sources.get(index).mayContainRows(first, end);
  }

  @Override
  public boolean mayContainColumn(ByteBuffer key, int keyOffset) throws IOException {
    int index = indexOf(key, keyOffset);
    return index < sources.size() && sources.get(index).mayContainColumn(key, keyOffset);
  }

  @Override
  public boolean find(ByteBuffer key, int keyOffset, long readPoint, FoundCell found)
      throws IOException {
    int index = indexOf(key, keyOffset);
    return index < sources.size() && sources.get(index).find(key, keyOffset, readPoint, found);
  }

  @Override
  public long cellCount() {
    return cellCount;
  }

  @Override
  public long deleteMarkerCount() {
    return deleteMarkerCount;
  }

  @Override
  public long minTimestamp() {
    return minTimestamp;
  }

  @Override
  public long maxTimestamp() {
    return maxTimestamp;
  }

  @Override
  public long minSequence() {
    return minSequence;
  }

  @Override
  public long maxSequence() {
    return maxSequence;
  }

  private long sum(ToLongFunction<CellSource> figure) {
    return sources.stream().mapToLong(figure).sum();
  }

  private long min(ToLongFunction<CellSource> figure) {
    return sources.stream().mapToLong(figure).min().orElseThrow();
  }

  private long max(ToLongFunction<CellSource> figure) {
    return sources.stream().mapToLong(figure).max().orElseThrow();
  }

  /** Returns the first file that does not end before a row. */
  private int indexOf(ByteBuffer key, int keyOffset) {
    int low = 0;
    int high = files.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (files.get(middle).endsBefore(key, keyOffset)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private final class Cursor implements PartsCursor {
    private int index = -1;
    private @Nullable CellCursor current;

    @Override
    public boolean seekToFirst() throws IOException {
      return goOnFrom(0);
    }

    @Override
    public boolean seek(ByteBuffer key, int keyOffset) throws IOException {
      int first = indexOf(key, keyOffset);
      if (first == sources.size()) {
        leave();
        return false;
      }
      return enter(first).seek(key, keyOffset) || goOnFrom(first + 1);
    }

    @Override
    public long partMaxSequence() {
      return sources.get(index).maxSequence();
    }

    @Override
    public byte[] partFirstRow() {
      return files.get(index).firstRow();
    }

    @Override
    public boolean skip(ByteBuffer key, int keyOffset, long sequence) throws IOException {
      int last = Math.min(indexOf(key, keyOffset), sources.size() - 1);
      for (int i = index + 1; i <= last; i++) {
        if (sources.get(i).maxSequence() >= sequence) {
          return goOnFrom(i);
        }
      }
      return seek(key, keyOffset);
    }

    @Override
    public boolean seekBefore(ByteBuffer key, int keyOffset) throws IOException {
      int last = Math.min(indexOf(key, keyOffset), sources.size() - 1);
      return seekBeforeFrom(last, key, keyOffset);
    }

    private boolean seekBeforeFrom(int last, ByteBuffer key, int keyOffset) throws IOException {
      for (int i = last; i >= 0; i--) {
        if (enter(i).seekBefore(key, keyOffset)) {
          return true;
        }
      }
      leave();
      return false;
    }

    @Override
    public boolean startsRow() throws IOException {
      return standing().startsRow();
    }

    @Override
    public boolean previous() throws IOException {
      return standing().previous() || seekBeforeFrom(index - 1, CellKey.END.buffer(), 0);
    }

    @Override
    public boolean next() throws IOException {
      return standing().next() || goOnFrom(index + 1);
    }

    @Override
    public boolean isValid() {
      return current != null && current.isValid();
    }

    @Override
    public ByteBuffer buffer() {
      return standing().buffer();
    }

    @Override
    public int offset() {
      return standing().offset();
    }

    @Override
    public int length() {
      return standing().length();
    }

    @Override
    public long sequenceNumber() {
      return standing().sequenceNumber();
    }

    @Override
    public void close() {
      leave();
    }

    private CellCursor standing() {
      if (current == null) {
        throw new IllegalStateException("the cursor stands on no cell");
      }
      return current;
    }

    private boolean goOnFrom(int first) throws IOException {
      for (int i = first; i < sources.size(); i++) {
        if (enter(i).seekToFirst()) {
          return true;
        }
      }
      leave();
      return false;
    }

    private CellCursor enter(int file) {
      CellCursor entered = current;
      if (entered == null || index != file) {
        leave();
        entered = sources.get(file).cursor();
        current = entered;
        index = file;
      }
      return entered;
    }

    private void leave() {
      if (current != null) {
        current.close();
        current = null;
      }
      index = -1;
    }
  }
}
