// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.TableDescriptor;
import io.accordiondb.cli.text.BytesText;
import io.accordiondb.cli.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Files beside the HFiles of an export that say what table they are of: {@code _table.json}, from
 * which an import creates the table as it was, and {@code _splits.txt}, from which HBase's shell
 * creates a table with these regions. HBase's bulk load passes over both.
 */
final class TableFile {
  /** The rows at which regions begin, but the first, one a line, as HBase's shell reads them. */
  static final String SPLITS = "_splits.txt";

  private static final String TABLE = "_table.json";

  private TableFile() {}

  /** What is written. */
  record Contents(Map<String, Map<String, String>> families, List<String> splits) {}

  /** Writes both files. */
  static void write(Path folder, TableDescriptor table, List<byte[]> splits) throws IOException {
    Map<String, Map<String, String>> families = new TreeMap<>();
    table.families().forEach(family -> families.put(family.name(), family.attributes()));
    List<String> rows = new ArrayList<>();
    StringBuilder lines = new StringBuilder();
    for (byte[] split : splits) {
      rows.add(BytesText.format(split));
      lines.append(Bytes.toStringBinary(split)).append('\n');
    }
    publish(folder, TABLE, Json.write(new Contents(families, rows)) + "\n");
    publish(folder, SPLITS, lines.toString());
  }

  private static void publish(Path folder, String name, String text) throws IOException {
    Path written = folder.resolve(name + ".tmp");
    Files.writeString(written, text);
    LocalFiles.publish(written, folder.resolve(name));
  }

  /** Returns whether an export wrote a table to a folder. */
  static boolean isIn(Path folder) {
    return Files.exists(folder.resolve(TABLE));
  }

  /**
   * Returns how an import creates the families that a folder holds: as they were, if the folder
   * says it; otherwise so that they keep all versions.
   */
  static SourceTable read(Path folder, List<String> families) throws IOException {
    Path file = folder.resolve(TABLE);
    List<FamilyDescriptor> found = new ArrayList<>();
    if (!isIn(folder)) {
      for (String family : families) {
        found.add(FamilyDescriptor.builder(family).maxVersions(Integer.MAX_VALUE).build());
      }
      return new SourceTable(found, List.of());
    }
    try {
      Contents contents = Json.read(Files.readString(file), Contents.class);
      contents
          .families()
          .forEach(
              (name, attributes) -> found.add(FamilyDescriptor.ofAttributes(name, attributes)));
      return new SourceTable(found, contents.splits().stream().map(BytesText::parse).toList());
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          file + " does not describe a table (" + e.getMessage() + "); delete it to do without", e);
    }
  }
}
