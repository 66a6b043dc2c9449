// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.Delete;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Merge;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.bench.disk.SimulatedDisk;
import io.accordiondb.merge.MergeOperators;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The embedded store: a table of one family, in which a field is a column. Rows of one field are a
 * store of keys and values, and are read as such.
 */
public final class AccordionEngine implements Engine {
  private static final String TABLE = "bench";
  private static final byte[] FAMILY = KeyValueStore.FAMILY.getBytes(StandardCharsets.US_ASCII);

  private static final byte[] ONE = {0, 0, 0, 0, 0, 0, 0, 1};

  private final EngineOptions options;
  private final Database database;
  private final KeyValueStore keyValues;
  private final Table table;
  private final byte[][] qualifiers;

  /** Opens the store, which is created if it is missing. */
  public AccordionEngine(EngineOptions options) throws IOException {
    this(options, UnaryOperator.identity(), null);
  }

  /**
   * Opens the store, which is created if it is missing.
   *
   * @param further sets what the other engines do not have
   * @param disk a disk to simulate, null for none
   * @param splitKeys rows at which regions of a table that is created begin; none for one region
   */
  public AccordionEngine(
      EngineOptions options,
      UnaryOperator<DatabaseOptions.Builder> further,
      @Nullable SimulatedDisk disk,
      byte[]... splitKeys)
      throws IOException {
    this.options = options;
    DatabaseOptions.Builder builder =
        DatabaseOptions.builder()
            .memoryBytes(options.memoryBytes())
            .blockCacheBytes(options.cacheBytes())
            .durability(options.durability())
            .memStorePolicy(options.policy())
            // So that "accordion top" can look on.
            .jmx(true);
    DatabaseOptions all = further.apply(builder).build();
    this.database =
        disk == null
            ? Database.open(options.directory(), all)
            : disk.open(options.directory(), all);
    if (!database.exists(TABLE)) {
      FamilyDescriptor family =
          FamilyDescriptor.builder(KeyValueStore.FAMILY)
              .mergeOperator(options.counters() ? MergeOperators.counter().name() : null)
              .build();
      database.createTable(TableDescriptor.builder(TABLE).family(family).build(), splitKeys);
    }
    this.keyValues = database.keyValueStore(TABLE);
    this.table = database.table(TABLE);
    this.qualifiers = options.fields() == 1 ? new byte[1][0] : FieldNames.of(options.fields());
  }

  /** Returns the database below, for figures that only this engine has. */
  public DatabaseStatistics statistics() throws IOException {
    return database.statistics();
  }

  @Override
  public Session session() {
    return new TableSession();
  }

  @Override
  public EngineFigures figures() throws IOException {
    DatabaseStatistics statistics = database.statistics();
    return new EngineFigures(
        statistics.flushes().count(),
        statistics.compactions().count(),
        statistics.flushes().bytesWritten(),
        statistics.compactions().bytesWritten(),
        statistics.log().bytesAppended());
  }

  @Override
  public void majorCompact() throws IOException {
    database.flush(TABLE);
    database.majorCompact(TABLE);
  }

  @Override
  public String settings() {
    return "Accordion: "
        + options.policy()
        + ", memory stores "
        + options.memoryBytes()
        + " bytes, block cache "
        + options.cacheBytes()
        + " bytes, LZ4, Bloom filter by row, log "
        + options.durability();
  }

  @Override
  public void close() throws IOException {
    database.close();
  }

  private final class TableSession implements Session {
    @Override
    public void write(byte[][] keys, byte[][][] values, int count) throws IOException {
      List<Put> puts = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        Put put = new Put(keys[i]);
        for (int field = 0; field < qualifiers.length; field++) {
          put.addColumn(FAMILY, qualifiers[field], values[i][field]);
        }
        puts.add(put);
      }
      table.put(puts);
    }

    @Override
    public void count(byte[][] keys, int count) throws IOException {
      List<Merge> merges = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        merges.add(new Merge(keys[i]).addColumn(FAMILY, qualifiers[0], ONE));
      }
      table.mutate(merges);
    }

    @Override
    public long counter(byte[] key) throws IOException {
      byte[] value = keyValues.get(key);
      return value == null ? 0 : ByteBuffer.wrap(value).getLong();
    }

    @Override
    public byte @Nullable [] read(byte[] key, int field) throws IOException {
      if (options.fields() == 1) {
        return keyValues.get(key);
      }
      Result row = table.get(new Get(key).addColumn(FAMILY, qualifiers[field]));
      return row.isEmpty() ? null : row.cells().get(0).value();
    }

    @Override
    public List<Row> scan(ScanRequest scan) throws IOException {
      return options.fields() == 1 ? scanKeyValues(scan) : scanTable(scan);
    }

    private List<Row> scanKeyValues(ScanRequest scan) throws IOException {
      List<Row> found = new ArrayList<>(scan.count());
      try (KeyValueIterator iterator = iterator(scan)) {
        while (found.size() < scan.count() && iterator.hasNext()) {
          KeyValue entry = iterator.next();
          found.add(new Row(entry.key(), new byte[][] {entry.value()}));
        }
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      return found;
    }

    private KeyValueIterator iterator(ScanRequest scan) throws IOException {
      byte[] key = scan.key();
      return switch (scan.kind()) {
        case FORWARD -> keyValues.range(key, null);
        // The upper bound is exclusive, so it is the lowest key above this one.
        case REVERSE -> keyValues.reverseRange(null, Arrays.copyOf(key, key.length + 1));
        case PREFIX -> keyValues.prefix(key);
      };
    }

    private List<Row> scanTable(ScanRequest scan) throws IOException {
      List<Row> found = new ArrayList<>(scan.count());
      Scan rows = new Scan().setReversed(scan.reversed()).setLimit(scan.count());
      if (scan.kind() == ScanRequest.Kind.PREFIX) {
        rows.setRowPrefix(scan.key());
      } else {
        rows.setStartRow(scan.key());
      }
      try (ResultScanner scanner = table.scan(rows)) {
        for (Result row = scanner.next(); row != null; row = scanner.next()) {
          found.add(rowOf(row.cells()));
        }
      }
      return found;
    }

    private Row rowOf(List<Cell> cells) {
      byte[][] values = new byte[cells.size()][];
      for (int field = 0; field < values.length; field++) {
        values[field] = cells.get(field).value();
      }
      return new Row(cells.get(0).row(), values);
    }

    @Override
    public void delete(byte[] key) throws IOException {
      table.delete(new Delete(key));
    }

    @Override
    public void close() {}
  }
}
