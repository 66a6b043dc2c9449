// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.Cell;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.TableDescriptor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * A table as lines of JSON: first one with its families and their attributes, then one for each
 * cell, with row, qualifier and value in Base64.
 */
final class CellLines {
  private CellLines() {}

  /** The first line. */
  record Head(String table, Map<String, Map<String, String>> families) {}

  /** Any other line. */
  record Line(byte[] row, String family, byte[] qualifier, long timestamp, byte[] value) {}

  static String head(TableDescriptor table) throws IOException {
    Map<String, Map<String, String>> families = new TreeMap<>();
    table.families().forEach(family -> families.put(family.name(), family.attributes()));
    return Json.write(new Head(table.name(), families));
  }

  static String line(Cell cell) throws IOException {
    return Json.write(
        new Line(
            cell.row(),
            new String(cell.family(), StandardCharsets.US_ASCII),
            cell.qualifier(),
            cell.timestamp(),
            cell.value()));
  }

  /** Returns the table that a first line describes, under a name. */
  static TableDescriptor table(String head, String name) throws IOException {
    TableDescriptor.Builder builder = TableDescriptor.builder(name);
    Json.read(head, Head.class)
        .families()
        .forEach(
            (family, attributes) ->
                builder.family(FamilyDescriptor.ofAttributes(family, attributes)));
    return builder.build();
  }

  static Line cell(String line) throws IOException {
    return Json.read(line, Line.class);
  }
}
