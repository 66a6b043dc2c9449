// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.WriteBatch;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Refuses the writes of a database that is open read-only. Thread-safe. */
public final class RefusedWrites implements TableWrites {
  private final OpenTables tables;
  private final Supplier<DatabaseOptions> options;

  /** Creates an object that refuses writes to tables that are not writable. */
  public RefusedWrites(OpenTables tables, Supplier<DatabaseOptions> options) {
    this.tables = tables;
    this.options = options;
  }

  @Override
  public DatabaseOptions options() {
    return options.get();
  }

  @Override
  public void write(List<WriteBatch.Entry> writes, @Nullable Durability durability)
      throws IOException {
    throw refused();
  }

  @Override
  public boolean readModifyWrite(
      String table,
      byte[] row,
      @Nullable Durability durability,
      long bytesExpected,
      Modification modification)
      throws IOException {
    throw refused();
  }

  private IllegalStateException refused() throws IOException {
    tables.checkWritable();
    return new IllegalStateException("the database can be written to");
  }
}
