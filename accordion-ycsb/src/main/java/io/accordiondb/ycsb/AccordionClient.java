// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import java.io.IOException;
import java.nio.file.Path;

/**
 * YCSB's binding to the embedded database: a table of YCSB is a table with one family. Each thread
 * has an instance of its own.
 *
 * <p>Properties: {@code accordion.dir}, the folder, is required. {@code accordion.layout}: {@code
 * RECORD}, the default, keeps a record as one value, which an update reads, changes and writes;
 * {@code COLUMNS} keeps a field in a column, so that an update writes the given fields without
 * reading. Every option of {@link io.accordiondb.DatabaseOptions} can be set by its name in lower
 * case, as {@code accordion.memorybytes}; policy and segments as {@code accordion.policy}, {@code
 * activefraction}, {@code pipelinesegments}, {@code threshold}, {@code cells}, {@code index} and
 * {@code filtered}; an attribute of the family after {@code accordion.family.}.
 *
 * <p>{@code accordion.dashboard}, {@code [HOST:]PORT}, serves a page that shows the database at
 * work, and prints its address to standard error; 0 takes any free port.
 *
 * <p>For columns only: {@code accordion.batchbytes}, the bytes of keys and values that a thread
 * collects before it writes them as one batch; 0 (the default) for no batches. The collected writes
 * are not visible to any thread until they are written, at the latest when the thread ends. {@code
 * accordion.readmodifywrite}: whether an update reads the row and writes it as a whole; cannot be
 * combined with batches.
 */
public final class AccordionClient extends StoreClient {
  private static final SharedByFolder<WatchedDatabase> DATABASES = new SharedByFolder<>();

  /** How a record is kept. */
  enum Layout {
    /** All fields in one value. */
    RECORD,
    /** Each field in a column of its own. */
    COLUMNS
  }

  /** Creates a client. YCSB calls this by reflection. */
  public AccordionClient() {}

  @Override
  protected RecordOperations open() throws IOException {
    StoreProperties properties = new StoreProperties(getProperties());
    String folder = properties.text(StoreProperties.DIRECTORY, "");
    if (folder.isEmpty()) {
      throw new IllegalArgumentException(
          "set the property " + StoreProperties.DIRECTORY + " to the folder of the database");
    }
    Layout layout = properties.layoutOfRecords();
    boolean batches = properties.number(StoreProperties.BATCH_BYTES, 0) > 0;
    boolean reads = layout == Layout.RECORD || properties.isTrue(StoreProperties.READ_MODIFY_WRITE);
    if (batches && reads) {
      throw new IllegalArgumentException(
          StoreProperties.BATCH_BYTES
              + " needs "
              + StoreProperties.LAYOUT
              + "=COLUMNS without "
              + StoreProperties.READ_MODIFY_WRITE
              + ": what is gathered is not read");
    }
    SharedByFolder<WatchedDatabase>.Lease lease =
        DATABASES.enter(Path.of(folder), path -> WatchedDatabase.open(path, properties));
    return layout == Layout.COLUMNS
        ? new ColumnOperations(properties, lease)
        : new ValueOperations(new KeyValueRecords(properties, lease));
  }
}
