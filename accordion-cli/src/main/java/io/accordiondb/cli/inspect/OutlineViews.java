// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.inspect;

import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.Sizes;
import io.accordiondb.inspect.Damage;
import io.accordiondb.inspect.FileOutline;
import io.accordiondb.inspect.Inspector;
import io.accordiondb.inspect.RegionOutline;
import io.accordiondb.inspect.TableOutline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints the tables, regions and files that the manifest lists. */
final class OutlineViews {
  private OutlineViews() {}

  static void tables(Inspector inspector, InspectOutput out) throws IOException {
    for (TableOutline table : inspector.tables()) {
      Fields fields =
          new Fields()
              .with("table", table.name())
              .with("id", table.id())
              .with("regions", table.regions())
              .with("files", table.files())
              .with("bytes", table.bytes());
      if (out.json()) {
        out.json("table", fields.with("families", table.families()));
        continue;
      }
      out.line(
          String.format(
              Locale.ROOT,
              "%s (%d): regions %d, sorted tables %d, %s",
              table.name(),
              table.id(),
              table.regions(),
              table.files(),
              Sizes.bytes(table.bytes())));
      for (TableOutline.Family family : table.families()) {
        out.line("  family " + family.name() + " (" + family.id() + "): " + family.attributes());
      }
    }
  }

  static void regions(Inspector inspector, InspectOutput out) throws IOException {
    List<Fields> rows = new ArrayList<>();
    for (RegionOutline region : inspector.regions()) {
      rows.add(
          new Fields()
              .with("table", region.table())
              .with("region", region.id())
              .with("start", out.key(region.startRow()))
              .with("end", out.key(region.endRow()))
              .with("files", region.files())
              .with("bytes", region.bytes())
              .with("flushedSequence", region.flushedSequence()));
    }
    out.items("region", rows);
  }

  static void files(Inspector inspector, InspectOutput out) throws IOException {
    List<Fields> rows = new ArrayList<>();
    for (FileOutline file : inspector.files()) {
      rows.add(
          new Fields()
              .with("number", file.number())
              .with("file", file.file())
              .with("table", file.table())
              .with("region", file.region())
              .with("family", file.family())
              .with("level", file.level())
              .with("bytes", file.bytes())
              .with("minSequence", file.minSequence())
              .with("maxSequence", file.maxSequence())
              .with("shared", file.isShared())
              .with("there", file.isThere()));
      if (!file.isThere()) {
        out.damage(
            new Damage(
                file.file(),
                Damage.NOWHERE,
                file.file() + " is missing, though the manifest names it"));
      }
    }
    out.items("file", rows);
  }
}
