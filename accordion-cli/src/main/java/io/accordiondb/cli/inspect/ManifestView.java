// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.inspect;

import io.accordiondb.cli.text.Fields;
import io.accordiondb.inspect.Damage;
import io.accordiondb.inspect.FileKind;
import io.accordiondb.inspect.Inspector;
import io.accordiondb.inspect.ManifestRecord;
import io.accordiondb.inspect.ManifestVisitor;
import java.io.IOException;
import java.util.Locale;

/** Prints manifest files. Used once. */
final class ManifestView implements ManifestVisitor {
  private final InspectOutput out;

  ManifestView(InspectOutput out) {
    this.out = out;
  }

  void print(Inspector inspector) throws IOException {
    for (String file : out.files(inspector, FileKind.MANIFEST, inspector.manifestFiles())) {
      out.json("file", new Fields().with("file", file));
      out.line(file);
      inspector.readManifest(file, this);
    }
  }

  @Override
  public void record(ManifestRecord record) throws IOException {
    String kind = record.kind().name().toLowerCase(Locale.ROOT);
    out.json(
        "record",
        new Fields()
            .with("offset", record.offset())
            .with("bytes", record.bytes())
            .with("kind", kind)
            .with("number", record.number())
            .with("edits", record.edits()));
    boolean isCommit = record.kind() == ManifestRecord.Kind.COMMIT;
    if (record.kind() != ManifestRecord.Kind.CONFIRMATION) {
      out.line(
          String.format(
              Locale.ROOT,
              "  at %d: %s",
              record.offset(),
              isCommit ? kind + " " + record.number() : kind));
      for (String edit : record.edits()) {
        out.line("    " + edit);
      }
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
