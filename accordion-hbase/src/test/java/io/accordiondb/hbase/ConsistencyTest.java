// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Writers, getters and scanners on rows of three families, with flushes, in-memory compactions,
 * splits and major compactions going on. Every write puts one number into all cells of a row; a
 * reader must find one number in the whole row, not lower than what was written before it began,
 * and no column that was deleted before.
 */
@Tag("hbase-consistency")
class ConsistencyTest {
  private static final TableName NAME = TableName.valueOf("consistency");
  private static final byte[][] FAMILIES = {
    Bytes.toBytes("a"), Bytes.toBytes("b"), Bytes.toBytes("c")
  };
  private static final int COLUMNS = 10;
  private static final int WRITERS = 10;
  private static final int ROWS_OF_A_WRITER = 50;

  /** Enough rows and bytes for a call to scan a whole region. */
  private static final int ROWS_OF_A_CALL = 10_000;

  private static final long BYTES_OF_A_CALL = 64L << 20;

  private static final long SECONDS = Long.getLong("accordion.consistency.seconds", 600);

  private static final String POLICY = System.getProperty("accordion.consistency.policy", "EAGER");

  /** A column that a writer deletes again before it writes the row. */
  private static final byte[] EXTRA = Bytes.toBytes("x");

  private final HBaseTestingUtility cluster = new HBaseTestingUtility();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /** The number that each row was last known to hold; 0 for a row that was never written. */
  private final AtomicLongArray written = new AtomicLongArray(WRITERS * ROWS_OF_A_WRITER);

  private final AtomicLong writes = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong splits = new AtomicLong();
  private final AtomicLong events = new AtomicLong();

  /**
   * Held for writing while a region splits, and for reading by each step of the others: of reads
   * that a split interrupts, some see torn rows with HBase's own memory store as well.
   */
  private final ReadWriteLock splitting = new ReentrantReadWriteLock(true);

  private interface Step {
    void run(Table table, Random random) throws IOException;
  }

  @Test
  void noRowIsTornLostOrResurrectedAndNoChunkLeaks() throws Exception {
    cluster.getConfiguration().setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 60);
    cluster.getConfiguration().setInt("hbase.client.pause", 50);
    cluster.startMiniCluster(2);
    try {
      run();
    } finally {
      cluster.shutdownMiniCluster();
    }
    int left = ServerMemory.of(cluster.getConfiguration()).pool().chunksInUse();
    assertThat(left).as("chunks in use after the cluster has stopped").isZero();
  }

  private void run() throws Exception {
    createTable();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      threads.add(thread("writer-" + i, (table, random) -> write(table, random, writer)));
    }
    for (int i = 0; i < 4; i++) {
      threads.add(thread("getter-" + i, this::get));
      threads.add(thread("scanner-" + i, this::scan));
    }
    threads.forEach(Thread::start);
    long deadline = System.nanoTime() + SECONDS * 1_000_000_000L;
    Random random = new Random(3);
    try (Admin admin = cluster.getConnection().getAdmin()) {
      while (System.nanoTime() < deadline && failure.get() == null) {
        disturb(admin, random);
        Thread.sleep(500);
      }
    } finally {
      ended.set(true);
      for (Thread thread : threads) {
        thread.join(120_000);
        if (thread.isAlive()) {
          AssertionError hangs = new AssertionError(thread.getName() + " hangs");
          hangs.setStackTrace(thread.getStackTrace());
          failure.compareAndSet(null, hangs);
        }
      }
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
    try (Table table = cluster.getConnection().getTable(NAME)) {
      scan(table, random);
      verifyExtrasAreDeleted(table);
    }
    StoreFigures figures = OpenStores.figuresByTable().get(NAME.getNameAsString());
    System.out.println(
        writes
            + " writes, "
            + reads
            + " rows read, "
            + events
            + " disturbances with "
            + splits
            + " splits, "
            + figures);
    assertThat(List.of(writes.get(), reads.get(), events.get(), splits.get()))
        .allMatch(count -> count > 0);
    if (POLICY.equals("NONE")) {
      // HBase's own store, for comparison.
      assertThat(figures).isNull();
    } else {
      assertThat(figures).isNotNull();
      assertThat(figures.compactions()).isPositive();
    }
    cluster.deleteTable(NAME);
  }

  private void createTable() throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(NAME);
    for (byte[] family : FAMILIES) {
      table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    }
    table
        .setValue(HStore.MEMSTORE_CLASS_NAME, AccordionMemStore.class.getName())
        .setValue(StoreSettings.POLICY_KEY, POLICY)
        .setValue(StoreSettings.ACTIVE_FRACTION_KEY, "0.001");
    cluster.getAdmin().createTable(table.build());
  }

  private Thread thread(String name, Step step) {
    return new Thread(
        () -> {
          Random random = new Random(name.hashCode());
          try (Table table = cluster.getConnection().getTable(NAME)) {
            while (!ended.get()) {
              splitting.readLock().lock();
              try {
                step.run(table, random);
              } finally {
                splitting.readLock().unlock();
              }
            }
          } catch (Throwable e) {
            failure.compareAndSet(null, e);
            ended.set(true);
          }
        },
        name);
  }

  private void disturb(Admin admin, Random random) throws Exception {
    try {
      switch (random.nextInt(15)) {
        case 0 -> admin.majorCompact(NAME);
        case 1 -> {
          if (cluster.getHBaseCluster().getRegions(NAME).size() < 6) {
            split(admin);
          }
        }
        default -> admin.flush(NAME);
      }
      events.incrementAndGet();
    } catch (IOException e) {
      // A region that is being split can be neither flushed nor split.
    }
  }

  private void split(Admin admin) throws Exception {
    splitting.writeLock().lock();
    try {
      int before = cluster.getHBaseCluster().getRegions(NAME).size();
      admin.split(NAME);
      long deadline = System.nanoTime() + 20_000_000_000L;
      while (cluster.getHBaseCluster().getRegions(NAME).size() <= before
          && System.nanoTime() < deadline) {
        Thread.sleep(50);
      }
      cluster.waitUntilNoRegionsInTransition(60_000);
      if (cluster.getHBaseCluster().getRegions(NAME).size() > before) {
        splits.incrementAndGet();
      }
    } finally {
      splitting.writeLock().unlock();
    }
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("%04d", number));
  }

  /** Writes a row whole; sometimes deletes it in the same step, which must not show. */
  private void write(Table table, Random random, int writer) throws IOException {
    int number = random.nextInt(ROWS_OF_A_WRITER) * WRITERS + writer;
    long value = written.get(number) + 1;
    Put put = new Put(row(number));
    for (byte[] family : FAMILIES) {
      for (int column = 0; column < COLUMNS; column++) {
        put.addColumn(family, Bytes.toBytes("q" + column), Bytes.toBytes(value));
      }
    }
    if (random.nextInt(10) == 0) {
      // Columns that only this delete takes away again; none of them may come back.
      table.put(new Put(row(number)).addColumn(FAMILIES[0], EXTRA, Bytes.toBytes(value)));
      table.delete(new Delete(row(number)).addColumns(FAMILIES[0], EXTRA));
    }
    RowMutations mutations = new RowMutations(row(number));
    mutations.add(put);
    table.mutateRow(mutations);
    written.set(number, value);
    writes.incrementAndGet();
  }

  private void get(Table table, Random random) throws IOException {
    int number = random.nextInt(written.length());
    long before = written.get(number);
    Result result = table.get(new Get(row(number)));
    check(number, before, result);
  }

  private void scan(Table table, Random random) throws IOException {
    long[] before = new long[written.length()];
    for (int i = 0; i < before.length; i++) {
      before[i] = written.get(i);
    }
    boolean reversed = random.nextInt(4) == 0;
    boolean[] seen = new boolean[before.length];
    try (ResultScanner scanner =
        table.getScanner(
            new Scan()
                .setReversed(reversed)
                .setCaching(ROWS_OF_A_CALL)
                .setMaxResultSize(BYTES_OF_A_CALL))) {
      for (Result result : scanner) {
        int number = Integer.parseInt(Bytes.toString(result.getRow()));
        assertThat(seen[number]).as("row " + number + " comes twice").isFalse();
        seen[number] = true;
        check(number, before[number], result);
      }
    }
    for (int i = 0; i < seen.length; i++) {
      assertThat(seen[i] || before[i] == 0)
          .as("row " + i + " with " + before[i] + " is there")
          .isTrue();
    }
  }

  private static void verifyExtrasAreDeleted(Table table) throws IOException {
    try (ResultScanner scanner = table.getScanner(new Scan().addColumn(FAMILIES[0], EXTRA))) {
      assertThat(scanner).as("columns that were deleted").isEmpty();
    }
  }

  private void check(int number, long before, Result result) {
    reads.incrementAndGet();
    if (result.isEmpty()) {
      assertThat(before).as("row " + number + " is lost").isZero();
      return;
    }
    int cells = 0;
    long value = -1;
    for (Cell cell : result.rawCells()) {
      long found = Bytes.toLong(CellUtil.cloneValue(cell));
      if (CellUtil.matchingQualifier(cell, EXTRA)) {
        // Of a write that has not ended: it is deleted by then.
        assertThat(found).as("row " + number + " is resurrected").isGreaterThan(before);
        continue;
      }
      assertThat(value == -1 || value == found)
          .as("row " + number + " is torn: " + result)
          .isTrue();
      value = found;
      cells++;
    }
    if (cells > 0) {
      assertThat(cells).as("row " + number + ": " + result).isEqualTo(FAMILIES.length * COLUMNS);
    }
    assertThat(value == -1 ? 0 : value).as("row " + number).isGreaterThanOrEqualTo(before);
  }
}
