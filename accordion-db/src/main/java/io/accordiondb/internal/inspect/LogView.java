// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.inspect;

import io.accordiondb.inspect.Damage;
import io.accordiondb.inspect.LogRecord;
import io.accordiondb.inspect.LogRecord.LoggedCell;
import io.accordiondb.inspect.LogVisitor;
import io.accordiondb.internal.commit.BatchReader;
import io.accordiondb.internal.commit.LoggedGroup;
import io.accordiondb.internal.commit.MalformedBatchException;
import io.accordiondb.internal.read.CellCopy;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.wal.LogInspection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Presents a log file in the types of the public API. */
record LogView(String path, StoreNames names, LogVisitor visitor) implements LogInspection.Visitor {
  @Override
  public void link(RecordReader at, String words) throws IOException {
    visitor.record(
        new LogRecord(at.start(), bytesOf(at), true, at.firstSequence(), 0, words, List.of()));
  }

  @Override
  public void batch(RecordReader at) throws IOException {
    List<LoggedCell> cells;
    try {
      cells = cellsOf(at);
    } catch (MalformedBatchException e) {
      visitor.damage(
          new Damage(
              path,
              at.start(),
              String.valueOf(e.newer(path + ", offset " + at.start()).getMessage())));
      return;
    }
    visitor.record(
        new LogRecord(at.start(), bytesOf(at), false, at.firstSequence(), at.count(), "", cells));
  }

  private static long bytesOf(RecordReader at) {
    return at.soundBytes() - at.start();
  }

  /** Decodes the batch even if its cells are not wanted, because that shows whether it is valid. */
  private List<LoggedCell> cellsOf(RecordReader at) throws MalformedBatchException {
    List<LoggedGroup> groups = BatchReader.read(at.payload(), at.firstSequence(), at.count());
    List<LoggedCell> cells = new ArrayList<>();
    if (!visitor.wantsCells()) {
      return cells;
    }
    for (LoggedGroup group : groups) {
      if (group.isNote()) {
        continue;
      }
      byte[] family =
          names
              .family(group.store().regionId(), group.store().familyId())
              .getBytes(StandardCharsets.UTF_8);
      int offset = group.offset();
      for (int i = 0; i < group.cellCount(); i++) {
        cells.add(
            new LoggedCell(
                names.table(group.store().regionId()),
                group.store().regionId(),
                group.format().sequence(group.firstSequence(), i),
                CellCopy.of(
                    family, group.batch(), offset, group.format().length(group.batch(), offset))));
        offset += group.format().step(group.batch(), offset);
      }
    }
    return cells;
  }

  @Override
  public void tornTail(long offset, long bytes) throws IOException {
    visitor.tornTail(offset, bytes);
  }

  @Override
  public void damage(long offset, IOException cause) throws IOException {
    visitor.damage(new Damage(path, offset, String.valueOf(cause.getMessage())));
  }
}
