// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Durability;
import io.accordiondb.encoding.CellTags;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/** Makes the database's puts and deletes from those of HBase. Pure functions. */
final class MutationConversion {
  private MutationConversion() {}

  /** Gives puts that have no timestamp one, or leaves that to the commit. */
  interface PutTimestamps {
    /** Of the commit. */
    PutTimestamps LATEST = cell -> HConstants.LATEST_TIMESTAMP;

    long of(Cell put) throws IOException;
  }

  /**
   * Returns a put or delete as mutations of the database, which the caller must write atomically.
   *
   * @param timestamps of puts that have none
   */
  static List<io.accordiondb.Mutation> convert(
      Mutation mutation, TableDescriptor table, PutTimestamps timestamps) throws IOException {
    check(mutation, table);
    Durability durability = durability(mutation, table);
    io.accordiondb.Put puts = new io.accordiondb.Put(mutation.getRow());
    io.accordiondb.Delete deletes = deleteOf(mutation);
    for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        if (cell.getType() == Cell.Type.Put) {
          puts.addColumn(
              CellUtil.cloneFamily(cell),
              CellUtil.cloneQualifier(cell),
              cell.getTimestamp() == HConstants.LATEST_TIMESTAMP
                  ? timestamps.of(cell)
                  : cell.getTimestamp(),
              CellUtil.cloneValue(cell),
              tags(mutation, cell));
        } else {
          add(deletes, cell);
        }
      }
    }
    List<io.accordiondb.Mutation> converted = new ArrayList<>(2);
    boolean deletesRow = mutation instanceof Delete && mutation.isEmpty();
    if (!deletes.cells().isEmpty() || deletesRow) {
      converted.add(deletes.setDurability(durability));
    }
    if (!puts.cells().isEmpty()) {
      converted.add(puts.setDurability(durability));
    }
    return converted;
  }

  /** Returns the tags of a put's cell; a time to live of the mutation takes the place of theirs. */
  private static byte[] tags(Mutation mutation, Cell cell) {
    byte[] own = PrivateCellUtil.cloneTags(cell);
    // The database's put refuses a time to live that has passed at once, but not tags with one.
    return mutation.getTTL() == Long.MAX_VALUE
        ? own
        : CellTags.withTtl(CellTags.check(own), mutation.getTTL());
  }

  private static io.accordiondb.Delete deleteOf(Mutation mutation) {
    long timestamp = mutation instanceof Delete ? mutation.getTimestamp() : Long.MAX_VALUE;
    return new io.accordiondb.Delete(mutation.getRow(), timestamp);
  }

  private static void add(io.accordiondb.Delete delete, Cell cell) throws IOException {
    byte[] family = CellUtil.cloneFamily(cell);
    long timestamp = cell.getTimestamp();
    switch (cell.getType()) {
      case Delete -> delete.addColumn(family, CellUtil.cloneQualifier(cell), timestamp);
      case DeleteColumn -> delete.addColumns(family, CellUtil.cloneQualifier(cell), timestamp);
      case DeleteFamily -> delete.addFamily(family, timestamp);
      case DeleteFamilyVersion -> delete.addFamilyVersion(family, timestamp);
      default -> throw new DoNotRetryIOException("a mutation cannot hold the cell " + cell);
    }
  }

  /** Throws for a table that is read-only. */
  static void checkWritable(TableDescriptor table) throws DoNotRetryIOException {
    if (table.isReadOnly()) {
      throw new DoNotRetryIOException("table " + table.getTableName() + " is read only");
    }
  }

  /** Throws for a table that is read-only, and for a family that it does not have. */
  static void check(Mutation mutation, TableDescriptor table) throws IOException {
    checkWritable(table);
    for (byte[] family : mutation.getFamilyCellMap().keySet()) {
      if (!table.hasColumnFamily(family)) {
        // As it comes from a server, where programs find the class in the message of a batch.
        throw new NoSuchColumnFamilyException(
            NoSuchColumnFamilyException.class.getName()
                + ": Column family "
                + Bytes.toStringBinary(family)
                + " does not exist in table "
                + table.getTableName()
                + "; it has "
                + names(table));
      }
    }
  }

  private static List<String> names(TableDescriptor table) {
    return table.getColumnFamilyNames().stream().map(Bytes::toStringBinary).toList();
  }

  /** Returns the durability that a mutation or its table asks for; null for the database's. */
  static @Nullable Durability durability(Mutation mutation, TableDescriptor table) {
    org.apache.hadoop.hbase.client.Durability asked = mutation.getDurability();
    return switch (asked == org.apache.hadoop.hbase.client.Durability.USE_DEFAULT
        ? table.getDurability()
        : asked) {
      case USE_DEFAULT -> null;
      case SKIP_WAL -> Durability.SKIP;
      case ASYNC_WAL -> Durability.ASYNC;
      case SYNC_WAL -> Durability.SYNC;
      case FSYNC_WAL -> Durability.FSYNC;
    };
  }

  /**
   * Checks a put as HBase's client does before it sends it.
   *
   * @param bytesMax the longest cell; 0 or less for no limit
   */
  static void validate(Put put, int bytesMax) {
    if (put.isEmpty()) {
      throw new IllegalArgumentException("No columns to insert");
    }
    if (bytesMax <= 0) {
      return;
    }
    for (List<Cell> cells : put.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        if (cell.getSerializedSize() > bytesMax) {
          throw new IllegalArgumentException(
              "KeyValue size too large: "
                  + cell.getSerializedSize()
                  + " bytes, expected at most "
                  + bytesMax
                  + " (hbase.client.keyvalue.maxsize)");
        }
      }
    }
  }
}
