// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.inspect;

import io.accordiondb.Cell;
import io.accordiondb.cli.text.BytesText;
import io.accordiondb.cli.text.Encoding;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.OwnTags;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Prints cells as files have them, with their tags, delete markers too. */
final class CellText {
  private CellText() {}

  /**
   * Prints a cell.
   *
   * @param table name of its table; empty if that is clear
   */
  static void print(InspectOutput out, String table, long region, long sequence, Cell cell)
      throws IOException {
    String family = new String(cell.family(), StandardCharsets.UTF_8);
    String kind = cell.type().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    OwnTags tags = OwnTags.of(cell);
    Long ttlMillis = tags.ttlMillis();
    byte[] others = tags.others();
    if (out.json()) {
      Fields fields = new Fields();
      if (!table.isEmpty()) {
        fields.with("table", table).with("region", region);
      }
      fields
          .with("row", out.key(cell.row()))
          .with("family", family)
          .with("qualifier", out.key(cell.qualifier()))
          .with("timestamp", cell.timestamp())
          .with("kind", kind)
          .with("sequence", sequence)
          .with("value", out.value(cell.value()));
      if (ttlMillis != null) {
        fields.with("ttlMillis", ttlMillis);
      }
      if (others != null) {
        fields.with("tags", BytesText.format(others, Encoding.HEX));
      }
      out.json("cell", fields);
      return;
    }
    out.line(
        String.format(
            Locale.ROOT,
            "  %s%s %s:%s timestamp=%d %s sequence=%d value=%s%s%s",
            table.isEmpty() ? "" : table + " ",
            out.key(cell.row()),
            family,
            out.key(cell.qualifier()),
            cell.timestamp(),
            kind,
            sequence,
            out.value(cell.value()),
            ttlMillis == null ? "" : " ttlMillis=" + ttlMillis,
            others == null ? "" : " tags=" + BytesText.format(others, Encoding.HEX)));
  }
}
