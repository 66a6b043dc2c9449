// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import io.accordiondb.FamilyDescriptor;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Maps the descriptors of tables. The database decides which families a table has, and how they are
 * configured as far as it knows the attribute; the stored descriptor adds the rest. So a table may
 * be created and altered through either interface.
 */
final class TableMapping {
  private TableMapping() {}

  /**
   * Returns the database's form of a table.
   *
   * @param present how the database has the table, or null if the table is new
   * @throws IllegalArgumentException if the database cannot have such a table
   */
  static io.accordiondb.TableDescriptor toEngine(
      String engineName, TableDescriptor table, io.accordiondb.@Nullable TableDescriptor present) {
    io.accordiondb.TableDescriptor.Builder builder =
        io.accordiondb.TableDescriptor.builder(engineName);
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      String name = nameOf(family);
      FamilyDescriptor old = present == null ? null : present.family(name);
      builder.family(FamilyMapping.toEngine(family, old == null ? FamilyDescriptor.of(name) : old));
    }
    return builder.build();
  }

  /**
   * Returns HBase's form of a table.
   *
   * @param stored what the catalog has, or null if it has nothing
   */
  static TableDescriptor toHBase(
      TableName name, io.accordiondb.TableDescriptor table, @Nullable TableDescriptor stored) {
    TableDescriptorBuilder builder =
        stored == null
            ? TableDescriptorBuilder.newBuilder(name)
            : TableDescriptorBuilder.newBuilder(stored);
    if (stored != null) {
      for (ColumnFamilyDescriptor family : stored.getColumnFamilies()) {
        if (table.family(nameOf(family)) == null) {
          builder.removeColumnFamily(family.getName());
        }
      }
    }
    for (FamilyDescriptor family : table.families()) {
      ColumnFamilyDescriptor known =
          stored == null ? null : stored.getColumnFamily(family.nameBytes());
      if (known == null) {
        ColumnFamilyDescriptor plain = ColumnFamilyDescriptorBuilder.of(family.nameBytes());
        builder.setColumnFamily(FamilyMapping.toHBase(family, plain));
      } else {
        builder.modifyColumnFamily(FamilyMapping.toHBase(family, known));
      }
    }
    return builder.build();
  }

  private static String nameOf(ColumnFamilyDescriptor family) {
    return new String(family.getName(), StandardCharsets.UTF_8);
  }
}
