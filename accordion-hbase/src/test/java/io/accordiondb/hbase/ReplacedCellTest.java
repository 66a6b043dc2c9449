// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static io.accordiondb.fixtures.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.ManualEnvironmentEdge;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One batch that writes a cell twice, the second time with a time to live: what readers see before
 * and after that time, as with HBase's own store.
 */
class ReplacedCellTest extends RegionFixture {
  private static final long NOW = 1_700_000_000_000L;
  private static final int TTL = 1000;
  private static final int OTHER_ROWS = 2000;

  private static final int UNLOGGED_STEPS = 3000;

  /** Enough for several segments. */
  private static final int BATCHES = 400;

  private final ManualEnvironmentEdge clock = new ManualEnvironmentEdge();

  @BeforeEach
  void setClock() {
    clock.setValue(NOW);
    EnvironmentEdgeManager.injectEdge(clock);
  }

  private static List<Put> puts() {
    return List.of(put(1, NOW, "replaced"), put(1, NOW, "expires").setTTL(TTL));
  }

  private HRegion written(TableDescriptorBuilder table, boolean asBatch) throws IOException {
    HRegion region = open(table);
    region.put(put(0, NOW, "other"));
    if (asBatch) {
      region.batchMutate(puts().toArray(new Mutation[0]));
    } else {
      region.mutateRow(RowMutations.of(puts()));
    }
    return region;
  }

  private List<List<String>> readings(HRegion region) throws IOException {
    List<List<String>> readings = new ArrayList<>();
    clock.setValue(NOW);
    readings.add(read(region, new Scan()));
    readings.add(read(region, new Scan().setRaw(true).readAllVersions()));
    clock.incValue(2 * TTL);
    readings.add(read(region, new Scan()));
    readings.add(read(region, new Scan().setReversed(true)));
    region.flush(true);
    readings.add(read(region, new Scan()));
    return readings;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isReadAsWithHBasesOwnStore(boolean asBatch) throws IOException {
    HRegion hbases = written(table("replaced", family().setMaxVersions(3)), asBatch);
    HRegion ours = written(withOurs(table("replaced", family().setMaxVersions(3))), asBatch);
    List<List<String>> expected = readings(hbases);
    assertThat(expected.get(0)).contains("row1:q@" + NOW + "=expires");
    assertThat(expected.get(2)).containsExactly("row0:q@" + NOW + "=other");
    assertThat(readings(ours)).isEqualTo(expected);
  }

  @Test
  void staysReplacedWhenACompactionInMemoryFindsItExpired() throws Exception {
    HRegion region = written(withOurs(table("compacted", family().setMaxVersions(3))), true);
    clock.incValue(2 * TTL);
    for (int i = 0; i < OTHER_ROWS; i++) {
      region.put(put(10 + i % 10, NOW + i, "value" + i));
    }
    await(
        "compactions in memory",
        () -> memStoreOf(region).figures().cells(),
        cells -> cells < OTHER_ROWS / 4);
    assertThat(read(region, new Scan())).hasSize(11).noneMatch(cell -> cell.startsWith("row1:"));
  }

  @Test
  void staysReplacedWhenItsSegmentIsSealedWithinTheBatch() throws Exception {
    HRegion region =
        open(
            withOurs(table("sealed", family().setMaxVersions(3)))
                .setValue(StoreSettings.POLICY_KEY, "BASIC")
                .setValue(StoreSettings.PIPELINE_SEGMENTS_KEY, "30"));
    for (int row = 0; row < BATCHES; row++) {
      region.batchMutate(
          new Mutation[] {put(row, NOW, "replaced"), put(row, NOW, "expires").setTTL(TTL)});
    }
    assertThat(memStoreOf(region).figures().segments()).isGreaterThan(2);
    assertThat(read(region, new Scan().setRaw(true).readAllVersions())).hasSize(BATCHES);
    clock.incValue(2 * TTL);
    assertThat(read(region, new Scan())).isEmpty();
    assertThat(read(region, new Scan().setReversed(true))).isEmpty();
  }

  /** With a policy that drops cells when it flattens a segment, without regard to older ones. */
  @Test
  void staysReplacedWhenTheSegmentsAreFlattenedAfterItHasExpired() throws Exception {
    HRegion region =
        open(
            withOurs(table("flattened", family().setMaxVersions(3)))
                .setValue(StoreSettings.POLICY_KEY, "ADAPTIVE")
                .setValue(StoreSettings.PIPELINE_SEGMENTS_KEY, "30"));
    for (int row = 0; row < BATCHES; row++) {
      long time = clock.currentTime();
      region.batchMutate(
          new Mutation[] {put(row, time, "replaced"), put(row, time, "expires").setTTL(TTL)});
      clock.incValue(2 * TTL);
    }
    assertThat(memStoreOf(region).figures().segments()).isGreaterThan(2);
    await(
        "segments to be flattened",
        () -> memStoreOf(region).figures().cellsEliminated(),
        cells -> cells > BATCHES);
    assertThat(read(region, new Scan())).isEmpty();
    region.flush(true);
    assertThat(read(region, new Scan())).isEmpty();
  }

  /** HBase gives the cells of such a table no sequence numbers. */
  @Test
  void theLastCellIsReadInATableWithoutALog() throws Exception {
    HRegion ours = open(withOurs(unlogged()));
    HRegion hbases = open(unlogged());
    Random random = new Random(7);
    for (int step = 1; step <= UNLOGGED_STEPS; step++) {
      int row = random.nextInt(10);
      long timestamp = NOW + random.nextInt(5);
      for (HRegion region : List.of(ours, hbases)) {
        region.put(put(row, timestamp, "value" + step));
      }
      if (step % 300 == 0) {
        for (Scan scan :
            List.of(
                new Scan(),
                new Scan().setReversed(true),
                new Scan().readVersions(3),
                new Scan().withStartRow(Bytes.toBytes("row5")).setOneRowLimit())) {
          assertThat(read(ours, scan)).as(scan + " at " + step).isEqualTo(read(hbases, scan));
        }
      }
    }
    assertThat(memStoreOf(ours).figures().cellsEliminated()).isPositive();
    for (HRegion region : List.of(ours, hbases)) {
      region.flush(true);
    }
    Scan all = new Scan().readVersions(3);
    assertThat(read(ours, all)).isEqualTo(read(hbases, all));
  }

  private static TableDescriptorBuilder unlogged() {
    return table("unlogged", family().setMaxVersions(3)).setDurability(Durability.SKIP_WAL);
  }
}
