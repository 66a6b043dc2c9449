// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.Table;
import io.accordiondb.hbase.client.data.MutationConversion.PutTimestamps;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.TagUtil;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.Nullable;

/**
 * Applies mutations of one row within a transaction, which makes them atomic. Increments, appends
 * and deletes of the latest version see what earlier mutations of the same transaction have
 * written. Belongs to one attempt of a transaction.
 *
 * <p>A put without a timestamp gets that of the commit, which never goes back, unlike the clock.
 * There are two exceptions: if an increment or append changes one of its columns, because that must
 * know the timestamp at once, and if the cell that decided about the change is ahead of the clock.
 * The put then has the time of the clock or that cell, or that of the stored version, if it is
 * later.
 */
final class RowUpdate {
  private final Table table;
  private final TableDescriptor descriptor;
  private final long nowMillis;

  /** Whether the time is that of a cell that is ahead of the clock. */
  private final boolean ahead;

  /** The cells that increments and appends return. */
  private final List<Cell> returned = new ArrayList<>();

  private boolean depends;

  /**
   * Creates an update.
   *
   * @param table the table of a transaction
   * @param seenMillis the timestamp of the cell that decided about the update; no put gets a lower
   *     one; 0 for none
   */
  RowUpdate(Table table, TableDescriptor descriptor, long seenMillis) {
    long now = EnvironmentEdgeManager.currentTime();
    this.table = table;
    this.descriptor = descriptor;
    this.nowMillis = Math.max(now, seenMillis);
    this.ahead = seenMillis > now;
  }

  /** Returns whether there was an increment or append, which depends on what is stored. */
  boolean depends() {
    return depends;
  }

  /** Returns what increments and appends return. */
  Result result() {
    return returned.isEmpty() ? Result.EMPTY_RESULT : CellConversion.result(returned);
  }

  /** Applies mutations in their order. */
  void apply(List<Mutation> mutations) throws IOException {
    for (Mutation mutation : mutations) {
      apply(mutation, mutations);
    }
  }

  private void apply(Mutation mutation, List<Mutation> all) throws IOException {
    if (mutation instanceof Increment increment) {
      boolean returns = increment.isReturnResults();
      modify(mutation, increment.getTimeRange(), returns, RowUpdate::sum);
    } else if (mutation instanceof Append append) {
      boolean returns = append.isReturnResults();
      modify(mutation, append.getTimeRange(), returns, RowUpdate::concatenation);
    } else {
      boolean fixed = ahead || all.stream().anyMatch(other -> changesColumn(other, mutation));
      PutTimestamps timestamps = fixed ? this::timestampOf : PutTimestamps.LATEST;
      table.mutate(MutationConversion.convert(mutation, descriptor, timestamps));
    }
  }

  /** Returns the timestamp of a put, which the stored version of the column does not hide. */
  private long timestampOf(Cell put) throws IOException {
    return timestamp(put, stored(put, TimeRange.allTime()));
  }

  /** Returns whether a mutation is an increment or append of a column of another mutation. */
  private static boolean changesColumn(Mutation mutation, Mutation other) {
    if (!(mutation instanceof Increment || mutation instanceof Append)) {
      return false;
    }
    for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        if (other.has(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Computes a new value from the stored one, which may be absent, and an operand. */
  private interface Function {
    byte[] apply(byte @Nullable [] stored, byte[] operand) throws IOException;
  }

  private void modify(Mutation mutation, TimeRange range, boolean returns, Function function)
      throws IOException {
    MutationConversion.check(mutation, descriptor);
    depends = true;
    Durability durability = MutationConversion.durability(mutation, descriptor);
    NavigableMap<byte[], List<Cell>> operands = mutation.getFamilyCellMap();
    // All are read first: an operand does not see another one of the same column, as in HBase.
    List<Modification> modifications = new ArrayList<>();
    for (List<Cell> cells : operands.values()) {
      for (Cell operand : cells) {
        modifications.add(new Modification(operand, stored(operand, range)));
      }
    }
    for (Modification modification : modifications) {
      io.accordiondb.Cell written = write(mutation, modification, durability, function);
      if (returns) {
        returned.add(CellConversion.toHBase(written));
      }
    }
    returned.sort(org.apache.hadoop.hbase.CellComparator.getInstance());
  }

  /** An operand and what is stored in its column. */
  private record Modification(Cell operand, io.accordiondb.@Nullable Cell stored) {}

  private io.accordiondb.@Nullable Cell stored(Cell operand, TimeRange range) throws IOException {
    byte[] family = CellUtil.cloneFamily(operand);
    byte[] qualifier = CellUtil.cloneQualifier(operand);
    Get get =
        new Get(CellUtil.cloneRow(operand))
            .addColumn(family, qualifier)
            .setAllTags(true)
            .setTimeRange(range.getMin(), range.getMax());
    return table.get(get).cell(family, qualifier);
  }

  private io.accordiondb.Cell write(
      Mutation mutation,
      Modification modification,
      @Nullable Durability durability,
      Function function)
      throws IOException {
    Cell operand = modification.operand();
    io.accordiondb.Cell stored = modification.stored();
    byte[] value =
        function.apply(stored == null ? null : stored.value(), CellUtil.cloneValue(operand));
    Put put = new Put(mutation.getRow());
    put.addColumn(
        CellUtil.cloneFamily(operand),
        CellUtil.cloneQualifier(operand),
        timestamp(operand, stored),
        value,
        tags(mutation, operand, stored));
    table.put(put.setDurability(durability));
    return put.cells().get(0);
  }

  /**
   * Returns the tags of a new value as in HBase: those of the operand, then those of the stored
   * value; a time to live of the mutation takes the place of theirs.
   */
  private static byte[] tags(
      Mutation mutation, Cell operand, io.accordiondb.@Nullable Cell stored) {
    List<Tag> tags = new ArrayList<>();
    TagUtil.carryForwardTags(tags, operand);
    if (stored != null) {
      tags.addAll(TagUtil.asList(stored.tags(), 0, stored.tags().length));
    }
    if (mutation.getTTL() != Long.MAX_VALUE) {
      tags.removeIf(tag -> tag.getType() == TagType.TTL_TAG_TYPE);
      TagUtil.carryForwardTTLTag(tags, mutation.getTTL());
    }
    return TagUtil.fromList(tags);
  }

  /**
   * Returns the timestamp of a new value, which is not below that of the stored one. HBase takes
   * one above it. Here many updates of a cell fit into a millisecond, so its timestamps would run
   * ahead of the clock, and hide it from the puts and deletes that follow.
   */
  private long timestamp(Cell operand, io.accordiondb.@Nullable Cell stored) {
    if (stored != null) {
      return Math.max(stored.timestamp(), nowMillis);
    }
    long own = operand.getTimestamp();
    return own == HConstants.LATEST_TIMESTAMP ? nowMillis : own;
  }

  private static byte[] sum(byte @Nullable [] stored, byte[] amount) throws IOException {
    long sum = number(amount) + (stored == null ? 0 : number(stored));
    return Bytes.toBytes(sum);
  }

  private static long number(byte[] bytes) throws IOException {
    if (bytes.length != Long.BYTES) {
      throw new DoNotRetryIOException("Field is not a long, it's " + bytes.length + " bytes wide");
    }
    return Bytes.toLong(bytes);
  }

  private static byte[] concatenation(byte @Nullable [] stored, byte[] suffix) {
    if (stored == null) {
      return suffix;
    }
    return ByteBuffer.allocate(stored.length + suffix.length).put(stored).put(suffix).array();
  }
}
