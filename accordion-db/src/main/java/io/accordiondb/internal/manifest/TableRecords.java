// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Encodes tables outside the manifest, as the edits that create them. */
public final class TableRecords {
  private TableRecords() {}

  /** Encodes tables, in the order of their numbers. */
  public static byte[] encode(Collection<TableRecord> tables) {
    List<VersionEdit> edits = new ArrayList<>();
    tables.stream()
        .sorted(Comparator.comparingLong(TableRecord::tableId))
        .forEach(table -> edits.add(new VersionEdit.PutTable(table)));
    ByteBuffer encoded = EditCodec.encode(edits);
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }

  /**
   * Decodes tables.
   *
   * @param file the file that holds them, for messages
   */
  public static List<TableRecord> decode(byte[] bytes, String file)
      throws CorruptionException, FormatVersionException {
    List<TableRecord> tables = new ArrayList<>();
    for (VersionEdit edit : EditCodec.decode(ByteBuffer.wrap(bytes), file, 0)) {
      if (edit instanceof VersionEdit.PutTable put) {
        tables.add(put.table());
      }
    }
    return tables;
  }
}
