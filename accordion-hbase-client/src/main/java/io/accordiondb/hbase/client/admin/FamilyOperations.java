// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import io.accordiondb.hbase.client.catalog.Catalog;
import java.io.IOException;
import org.apache.hadoop.hbase.InvalidFamilyOperationException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** HBase's operations on single families of a table. */
final class FamilyOperations {
  private final Catalog catalog;

  FamilyOperations(Catalog catalog) {
    this.catalog = catalog;
  }

  public void addColumnFamily(TableName name, ColumnFamilyDescriptor family) throws IOException {
    catalog
        .changes()
        .modify(
            name,
            table -> {
              if (table.hasColumnFamily(family.getName())) {
                throw new InvalidFamilyOperationException(
                    "Column family '"
                        + family.getNameAsString()
                        + "' in table '"
                        + name
                        + "' already exists so cannot be added");
              }
              return TableDescriptorBuilder.newBuilder(table).setColumnFamily(family).build();
            });
  }

  public void addColumn(TableName name, ColumnFamilyDescriptor family) throws IOException {
    addColumnFamily(name, family);
  }

  public void modifyColumnFamily(TableName name, ColumnFamilyDescriptor family) throws IOException {
    catalog
        .changes()
        .modify(
            name,
            table -> {
              checkPresent(table.hasColumnFamily(family.getName()), family.getName(), "modified");
              return TableDescriptorBuilder.newBuilder(table).modifyColumnFamily(family).build();
            });
  }

  public void modifyColumn(TableName name, ColumnFamilyDescriptor family) throws IOException {
    modifyColumnFamily(name, family);
  }

  public void deleteColumnFamily(TableName name, byte[] family) throws IOException {
    catalog
        .changes()
        .modify(
            name,
            table -> {
              checkPresent(table.hasColumnFamily(family), family, "deleted");
              if (table.getColumnFamilyCount() == 1) {
                throw new InvalidFamilyOperationException(
                    "Family '"
                        + Bytes.toString(family)
                        + "' is the only column family in the table, so it cannot be deleted");
              }
              return TableDescriptorBuilder.newBuilder(table).removeColumnFamily(family).build();
            });
  }

  public void deleteColumn(TableName name, byte[] family) throws IOException {
    deleteColumnFamily(name, family);
  }

  private static void checkPresent(boolean present, byte[] family, String change)
      throws InvalidFamilyOperationException {
    if (!present) {
      throw new InvalidFamilyOperationException(
          "Family '" + Bytes.toString(family) + "' does not exist, so it cannot be " + change);
    }
  }
}
