// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.inspect;

import io.accordiondb.cli.text.Fields;
import io.accordiondb.inspect.Damage;
import io.accordiondb.inspect.FileKind;
import io.accordiondb.inspect.Inspector;
import io.accordiondb.inspect.LogFileOutline;
import io.accordiondb.inspect.LogRecord;
import io.accordiondb.inspect.LogVisitor;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;

/** Prints log files. Used once. */
final class LogFileView implements LogVisitor {
  private final InspectOutput out;
  private long records;
  private long cells;

  LogFileView(InspectOutput out) {
    this.out = out;
  }

  void print(Inspector inspector) throws IOException {
    List<LogFileOutline> logs = inspector.logFiles();
    List<String> all = logs.stream().map(LogFileOutline::file).toList();
    List<String> wanted = out.files(inspector, FileKind.LOG, all);
    for (LogFileOutline log : logs) {
      if (!wanted.contains(log.file())) {
        continue;
      }
      out.json(
          "file",
          new Fields()
              .with("file", log.file())
              .with("number", log.number())
              .with("bytes", log.bytes())
              .with("live", log.isLive()));
      out.line(
          String.format(
              Locale.ROOT,
              "%s, %d bytes, %s",
              log.file(),
              log.bytes(),
              log.isLive() ? "part of the log" : "not part of the log any more"));
      try {
        inspector.readLog(log.file(), this);
      } catch (NoSuchFileException e) {
        // An open database deletes its log files at any time.
        out.json("deleted", new Fields().with("file", log.file()));
        out.line("  the database has deleted it meanwhile");
      }
    }
    out.json("summary", new Fields().with("records", records).with("cells", cells));
    out.line(records + " records, " + cells + " cells");
  }

  @Override
  public boolean wantsCells() {
    return out.wishes().cells();
  }

  @Override
  public void record(LogRecord record) throws IOException {
    records++;
    cells += record.cells();
    Fields fields =
        new Fields()
            .with("offset", record.offset())
            .with("bytes", record.bytes())
            .with("kind", record.isLink() ? "link" : "batch");
    if (record.isLink()) {
      out.json("record", fields.with("link", record.link()));
      out.line(String.format(Locale.ROOT, "  at %d: link %s", record.offset(), record.link()));
      return;
    }
    long last = record.firstSequence() + record.cells() - 1;
    out.json(
        "record",
        fields
            .with("firstSequence", record.firstSequence())
            .with("lastSequence", last)
            .with("cells", record.cells()));
    out.line(
        String.format(
            Locale.ROOT,
            "  at %d: batch of %d bytes, %d cells, sequences %d to %d",
            record.offset(),
            record.bytes(),
            record.cells(),
            record.firstSequence(),
            last));
    for (LogRecord.LoggedCell cell : record.content()) {
      CellText.print(out, cell.table(), cell.region(), cell.sequence(), cell.cell());
    }
  }

  @Override
  public void tornTail(long offset, long bytes) throws IOException {
    out.json("tornTail", new Fields().with("offset", offset).with("bytes", bytes));
    out.line(
        String.format(
            Locale.ROOT,
            "  at %d: the last %d bytes are no whole record, as a crash or a writer leaves them",
            offset,
            bytes));
  }

  @Override
  public void damage(Damage damage) {
    out.damage(damage);
  }
}
