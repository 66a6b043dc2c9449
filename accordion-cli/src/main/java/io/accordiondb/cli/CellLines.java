// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import io.accordiondb.Cell;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.TableDescriptor;
import io.accordiondb.cli.text.Json;
import io.accordiondb.cli.text.OwnTags;
import io.accordiondb.cli.text.TextChecksum;
import io.accordiondb.encoding.CellType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads a table as lines of JSON: first a line with its families and their attributes,
 * then a line for each cell, with row, qualifier, value and tags in Base64, last a line with the
 * number of cells, without which the table is not complete, and the checksum of the lines before
 * it.
 */
final class CellLines {
  private CellLines() {}

  /** The first line; older ones do not say that the table has a last line. */
  private record Head(
      String table, Map<String, Map<String, String>> families, boolean endsWithCount) {}

  /**
   * The last line.
   *
   * @param cells how many there are
   * @param crc32c the {@link TextChecksum} of the lines before it, each with a line feed; null if
   *     the line has none, as when it was edited
   */
  record End(
      @Nullable Long cells, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String crc32c) {}

  /** Any other line; the tags are those beside the time to live. */
  private record Line(
      byte[] row,
      String family,
      byte[] qualifier,
      @Nullable Long timestamp,
      byte[] value,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long ttlMillis,
      @JsonInclude(JsonInclude.Include.NON_NULL) byte @Nullable [] tags) {}

  static String head(TableDescriptor table) throws IOException {
    Map<String, Map<String, String>> families = new TreeMap<>();
    table.families().forEach(family -> families.put(family.name(), family.attributes()));
    return Json.write(new Head(table.name(), families, true));
  }

  static String line(Cell cell) throws IOException {
    OwnTags tags = OwnTags.of(cell);
    return Json.write(
        new Line(
            cell.row(),
            new String(cell.family(), StandardCharsets.US_ASCII),
            cell.qualifier(),
            cell.timestamp(),
            cell.value(),
            tags.ttlMillis(),
            tags.others()));
  }

  static String end(long cells, TextChecksum checksum) throws IOException {
    return Json.write(new End(cells, checksum.text()));
  }

  /**
   * Returns whether a first line says that the table has a last line.
   *
   * @throws IOException if the line describes no table
   */
  static boolean endsWithCount(String head) throws IOException {
    return read(head, Head.class, "a table with its families").endsWithCount();
  }

  /** Returns what a last line holds, or null if it is none. */
  static @Nullable End end(String line) throws IOException {
    try {
      End end = parse(line, End.class);
      return end == null || end.cells() == null ? null : end;
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  /**
   * Returns the table that a first line describes, under a name.
   *
   * @throws IOException if the line describes none
   */
  static TableDescriptor table(String head, String name) throws IOException {
    String expected = "a table with its families";
    Map<String, Map<String, String>> families = read(head, Head.class, expected).families();
    if (families == null || families.values().stream().anyMatch(CellLines::isIncomplete)) {
      throw refused(expected, null);
    }
    TableDescriptor.Builder builder = TableDescriptor.builder(name);
    try {
      families.forEach(
          (family, attributes) ->
              builder.family(FamilyDescriptor.ofAttributes(family, attributes)));
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw refused(expected, e);
    }
  }

  /**
   * Returns the cell that a line holds.
   *
   * @throws IOException if it holds none
   */
  static Cell cell(String line) throws IOException {
    String expected = "a cell";
    Line cell = read(line, Line.class, expected);
    Long timestamp = cell.timestamp();
    if (cell.row() == null
        || cell.row().length == 0
        || cell.family() == null
        || cell.qualifier() == null
        || timestamp == null
        || timestamp < 0
        || cell.value() == null) {
      throw refused(expected, null);
    }
    try {
      return new Cell(
          cell.row(),
          cell.family().getBytes(StandardCharsets.US_ASCII),
          cell.qualifier(),
          timestamp,
          CellType.PUT,
          cell.value(),
          new OwnTags(cell.ttlMillis(), cell.tags()).all());
    } catch (IllegalArgumentException e) {
      throw refused(expected, e);
    }
  }

  private static boolean isIncomplete(@Nullable Map<String, String> attributes) {
    return attributes == null || attributes.containsValue(null);
  }

  private static <T> @Nullable T parse(String line, Class<T> type) throws IOException {
    return Json.read(line, type);
  }

  private static <T> T read(String line, Class<T> type, String expected) throws IOException {
    @Nullable T value;
    try {
      value = parse(line, type);
    } catch (JsonProcessingException e) {
      throw refused(expected, e);
    }
    if (value == null) {
      throw refused(expected, null);
    }
    return value;
  }

  /** Returns what is wrong, without anything of the line, which may hold a value. */
  private static String reason(@Nullable Exception cause) {
    if (cause == null) {
      return "a field is missing, empty or negative";
    }
    String field = cause instanceof JsonMappingException mapping ? fieldOf(mapping) : null;
    if (field != null) {
      return "the field " + field + " is of another kind";
    }
    if (cause instanceof JsonProcessingException json) {
      JsonLocation at = json.getLocation();
      return "it is no such JSON object" + (at == null ? "" : ", from column " + at.getColumnNr());
    }
    return String.valueOf(cause.getMessage());
  }

  /** Returns the innermost field, which may hold a list with the wrong element; null for none. */
  private static @Nullable String fieldOf(JsonMappingException cause) {
    String field = null;
    for (JsonMappingException.Reference reference : cause.getPath()) {
      field = reference.getFieldName() == null ? field : reference.getFieldName();
    }
    return field;
  }

  private static IOException refused(String expected, @Nullable Exception cause) {
    return new IOException("expected " + expected + ": " + reason(cause), cause);
  }
}
