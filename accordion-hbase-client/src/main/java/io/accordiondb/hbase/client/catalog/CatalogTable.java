// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import io.accordiondb.Table;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;

/** A table as it was at one moment: its descriptor, its state and its rows. Immutable. */
public final class CatalogTable {
  private final TableName name;
  private final TableDescriptor descriptor;
  private final boolean enabled;
  private final Table table;
  private final io.accordiondb.TableDescriptor engineDescriptor;
  private final @Nullable StoredTable record;
  private final WriteGate gate;

  CatalogTable(
      TableName name,
      Table table,
      io.accordiondb.TableDescriptor engineDescriptor,
      @Nullable StoredTable record,
      WriteGate gate) {
    this.name = name;
    this.table = table;
    this.engineDescriptor = engineDescriptor;
    this.record = record;
    this.gate = gate;
    this.enabled = record == null || record.enabled();
    this.descriptor =
        TableMapping.toHBase(name, engineDescriptor, record == null ? null : record.descriptor());
  }

  /** {@return the name} */
  public TableName name() {
    return name;
  }

  /** {@return the descriptor, with attributes that only HBase knows} */
  public TableDescriptor descriptor() {
    return descriptor;
  }

  /** {@return whether the table is enabled} */
  public boolean enabled() {
    return enabled;
  }

  /** {@return the table of the database that has the rows} */
  public Table table() {
    return table;
  }

  /** Returns the gate that mutations of the table pass. */
  WriteGate gate() {
    return gate;
  }

  /** Returns whether nothing has changed since this was made from the same two parts. */
  @SuppressWarnings("ReferenceEquality") // Both are replaced by other objects when they change.
  boolean isMadeOf(io.accordiondb.TableDescriptor engine, @Nullable StoredTable stored) {
    return engineDescriptor == engine && record == stored;
  }
}
