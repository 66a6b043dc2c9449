// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import io.accordiondb.CompactionStyle;
import io.accordiondb.FamilyDescriptor;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos;

/**
 * What the catalog keeps of a snapshot. Immutable.
 *
 * @param description name, table, time and kind, as HBase's client shows them
 * @param engineTable the table of the database that has the contents
 * @param descriptor the descriptor that the table had
 * @param styles how each family was compacted; the families of the contents are not compacted
 */
record StoredSnapshot(
    SnapshotDescription description,
    String engineTable,
    TableDescriptor descriptor,
    Map<String, CompactionStyle> styles) {

  /** Returns the database's descriptor of a table that gets the contents of the snapshot. */
  io.accordiondb.TableDescriptor restored(
      String engineName, io.accordiondb.TableDescriptor contents) {
    io.accordiondb.TableDescriptor.Builder builder =
        io.accordiondb.TableDescriptor.builder(engineName);
    for (FamilyDescriptor family : contents.families()) {
      CompactionStyle style = styles.getOrDefault(family.name(), CompactionStyle.TIERED);
      builder.family(family.toBuilder().compactionStyle(style).build());
    }
    return builder.build();
  }

  /** Returns the database's descriptor of the contents of a snapshot of a table. */
  static io.accordiondb.TableDescriptor contentsOf(
      io.accordiondb.TableDescriptor table, String engineName) {
    io.accordiondb.TableDescriptor.Builder builder =
        io.accordiondb.TableDescriptor.builder(engineName);
    for (FamilyDescriptor family : table.families()) {
      builder.family(family.toBuilder().compactionStyle(CompactionStyle.NONE).build());
    }
    return builder.build();
  }

  /** Returns how each family of a table is compacted. */
  static Map<String, CompactionStyle> stylesOf(io.accordiondb.TableDescriptor table) {
    Map<String, CompactionStyle> styles = new TreeMap<>();
    table.families().forEach(family -> styles.put(family.name(), family.compactionStyle()));
    return styles;
  }

  byte[] encode() throws IOException {
    byte[] fields = ProtobufUtil.createHBaseProtosSnapshotDesc(description).toByteArray();
    return StoredRecords.encode(
        out -> {
          StoredRecords.writeBytes(out, fields);
          out.writeUTF(engineTable);
          StoredRecords.writeDescriptor(out, descriptor);
          out.writeInt(styles.size());
          for (Map.Entry<String, CompactionStyle> style : styles.entrySet()) {
            out.writeUTF(style.getKey());
            out.writeUTF(style.getValue().name());
          }
        });
  }

  static StoredSnapshot decode(String key, byte[] value) throws IOException {
    return StoredRecords.decode(key, value, StoredSnapshot::read);
  }

  private static StoredSnapshot read(DataInputStream in) throws IOException {
    SnapshotDescription description =
        ProtobufUtil.createSnapshotDesc(
            SnapshotProtos.SnapshotDescription.parseFrom(StoredRecords.readBytes(in)));
    String engineTable = in.readUTF();
    TableDescriptor descriptor = StoredRecords.readDescriptor(in);
    Map<String, CompactionStyle> styles = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      styles.put(in.readUTF(), CompactionStyle.valueOf(in.readUTF()));
    }
    return new StoredSnapshot(description, engineTable, descriptor, styles);
  }
}
