// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static io.accordiondb.fixtures.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionServicesForStores;
import org.apache.hadoop.hbase.regionserver.SnapshotDrop;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanDeleteTracker;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Markers that delete one version hide puts of that timestamp which are written later, too. A
 * segment that is compacted without the segment of the marker must not drop what is visible instead
 * of such a put.
 */
class VersionMarkerTest extends RegionFixture {
  private static final byte[] ROW = Bytes.toBytes("row1");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");

  /** The row whose cells fill segments. Most of them are dropped at once. */
  private static final int FILLING_ROW = 5;

  private static final Scan ALL_VERSIONS =
      new Scan().withStartRow(ROW).withStopRow(ROW, true).readAllVersions();

  private static final int STEPS = 4000;

  private long fillings = 100;

  /** Allows many segments, so that each is compacted without the others. */
  private static TableDescriptorBuilder withOurs(
      String policy, String name, ColumnFamilyDescriptorBuilder family) {
    return withOurs(table(name, family))
        .setValue(StoreSettings.POLICY_KEY, policy)
        .setValue(StoreSettings.PIPELINE_SEGMENTS_KEY, "30");
  }

  /** Has what was written to our store sealed, flattened, and what it replaces dropped. */
  private void compact(HRegion region) throws Exception {
    ArenaMemStore memStore = memStoreOf(region);
    long sealed = memStore.figures().inMemoryFlushes();
    long dropped = memStore.figures().cellsEliminated();
    while (memStore.figures().inMemoryFlushes() == sealed) {
      region.put(put(FILLING_ROW, fillings++, "filling"));
    }
    await(
        "dropped cells", () -> memStore.figures().cellsEliminated(), cells -> cells > dropped + 1);
  }

  private void write(HRegion region, Delete delete, long... timestamps) throws Exception {
    boolean ours = region.getTableDescriptor().getValue(StoreSettings.POLICY_KEY) != null;
    region.delete(new Delete(delete));
    if (ours) {
      compact(region);
    }
    for (long timestamp : timestamps) {
      region.put(put(1, timestamp, "value" + timestamp));
    }
    if (ours) {
      compact(region);
    }
  }

  private void compare(TableDescriptorBuilder table, Delete delete, long... timestamps)
      throws Exception {
    HRegion ours = open(table);
    HRegion hbases =
        open(
            table(
                "hbases",
                ColumnFamilyDescriptorBuilder.newBuilder(
                    ours.getTableDescriptor().getColumnFamilies()[0])));
    write(ours, delete, timestamps);
    write(hbases, delete, timestamps);
    assertThat(read(ours, ALL_VERSIONS)).isEqualTo(read(hbases, ALL_VERSIONS));
    ours.flush(true);
    hbases.flush(true);
    assertThat(read(ours, ALL_VERSIONS)).isEqualTo(read(hbases, ALL_VERSIONS));
  }

  /** Lets markers hide puts of one timestamp only. */
  public static final class Judge implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public DeleteTracker postInstantiateDeleteTracker(
        ObserverContext<RegionCoprocessorEnvironment> context, DeleteTracker tracker) {
      return new ScanDeleteTracker(VersionBridge.userTableOrder()) {
        @Override
        public DeleteResult isDeleted(Cell cell) {
          return super.isDeleted(cell) == DeleteResult.COLUMN_DELETED && cell.getTimestamp() == 5
              ? DeleteResult.VERSION_DELETED
              : DeleteResult.NOT_DELETED;
        }
      };
    }
  }

  /** As labels of visibility do. */
  @Test
  void aPutIsNoVersionIfACoprocessorMayLetAMarkerOfAnOlderSegmentHideIt() throws Exception {
    HRegion region = open(withOurs("ADAPTIVE", "judged", family()), Judge.class);
    write(region, new Delete(ROW).addColumns(FAMILY, QUALIFIER, 5), 5, 3);
    assertThat(read(region, ALL_VERSIONS)).containsExactly("row1:q@3=value3");
    region.flush(true);
    assertThat(read(region, ALL_VERSIONS)).containsExactly("row1:q@3=value3");
  }

  @ParameterizedTest
  @CsvSource({
    "ADAPTIVE, 1, FALSE",
    "EAGER, 1, FALSE",
    "AUTO, 1, FALSE",
    "ADAPTIVE, 2, FALSE",
    "ADAPTIVE, 1, TTL",
    "ADAPTIVE, 2, TRUE",
  })
  void aPutThatAMarkerOfAnOlderSegmentHidesIsNoVersion(
      String policy, int versions, KeepDeletedCells keepDeleted) throws Exception {
    ColumnFamilyDescriptorBuilder family =
        family().setMaxVersions(versions).setKeepDeletedCells(keepDeleted);
    for (Delete delete :
        List.of(
            new Delete(ROW).addColumn(FAMILY, QUALIFIER, 5),
            new Delete(ROW).addFamilyVersion(FAMILY, 5))) {
      compare(withOurs(policy, "older", family), delete, 5, 3, 2, 1);
    }
  }

  /**
   * The same writes are read the same. No marker hides a version that was written before: what lies
   * beneath comes back then, unless a compaction has dropped it.
   */
  @ParameterizedTest
  @CsvSource({"ADAPTIVE, 1", "ADAPTIVE, 2", "EAGER, 1", "AUTO, 2"})
  void manyMarkersAndPutsAreReadAsWithHBasesOwnStore(String policy, int versions) throws Exception {
    ColumnFamilyDescriptorBuilder family = family().setMaxVersions(versions);
    HRegion ours =
        open(
            withOurs(table("many", family))
                .setValue(StoreSettings.POLICY_KEY, policy)
                .setValue(StoreSettings.ACTIVE_FRACTION_KEY, "0.00001"));
    HRegion hbases = open(table("many", family));
    Random random = new Random(versions);
    Set<List<Object>> written = new HashSet<>();
    for (int step = 0; step < STEPS; step++) {
      int row = random.nextInt(20);
      long timestamp = step / 50 + random.nextInt(10);
      boolean deletes = random.nextInt(10) == 0 && !written.contains(List.of(row, timestamp));
      for (HRegion region : List.of(ours, hbases)) {
        if (deletes) {
          region.delete(
              new Delete(Bytes.toBytes("row" + row)).addColumn(FAMILY, QUALIFIER, timestamp));
        } else {
          region.put(put(row, timestamp, "value" + step));
        }
      }
      if (!deletes) {
        written.add(List.of(row, timestamp));
      }
      if (step % 100 == 99) {
        Scan scan = new Scan().readVersions(versions);
        assertThat(read(ours, scan)).as("after step " + step).isEqualTo(read(hbases, scan));
      }
    }
    assertThat(memStoreOf(ours).figures().cellsEliminated()).isGreaterThan(STEPS / 4);
    ours.flush(true);
    hbases.flush(true);
    assertThat(read(ours, new Scan())).isEqualTo(read(hbases, new Scan()));
  }

  /** What is dropped with these does not depend on markers of single versions. */
  @Test
  void otherMarkersOfAnOlderSegmentKeepNothing() throws Exception {
    for (Delete delete :
        List.of(
            new Delete(ROW).addColumns(FAMILY, QUALIFIER, 200),
            new Delete(ROW).addFamily(FAMILY, 200))) {
      HRegion region = open(withOurs("ADAPTIVE", "others", family()));
      write(region, delete, 103, 102, 101);
      assertThat(read(region, new Scan().setRaw(true).readAllVersions()).toString())
          .contains("row1:q@103")
          .doesNotContain("row1:q@102")
          .doesNotContain("row1:q@101");
    }
  }

  /** The marker was written between the two puts, and overtook the first one. */
  @ParameterizedTest
  @ValueSource(strings = {"ADAPTIVE", "EAGER", "AUTO"})
  void aPutThatTheMarkerHasOvertakenIsNoVersion(String policy) throws Exception {
    HRegion region = open(withOurs(policy, "overtaken", family()));
    region.getMVCC().advanceTo(1000);
    add(region, cell(10, 5, KeyValue.Type.Delete));
    compact(region);
    add(region, cell(8, 5, KeyValue.Type.Put), cell(12, 3, KeyValue.Type.Put));
    compact(region);
    assertThat(read(region, ALL_VERSIONS)).containsExactly("row1:q@3=value");
    region.flush(true);
    assertThat(read(region, ALL_VERSIONS)).containsExactly("row1:q@3=value");
  }

  /** Adds cells as writes do that the region has let in. */
  private static void add(HRegion region, KeyValue... cells) {
    RecordingRegion added = new RecordingRegion(TableName.valueOf("overtaken"), 1 << 20);
    memStoreOf(region).add(List.of(cells), added);
    new RegionServicesForStores(region, null)
        .addMemStoreSize(
            added.getDataSize(),
            added.getHeapSize(),
            added.getOffHeapSize(),
            added.getCellsCount());
  }

  /** Why it does not matter that a compaction in memory does not know such a marker. */
  @Test
  void aFlushOfHBasesOwnStoreCountsAPutThatAMarkerOfAFileHides() throws Exception {
    HRegion region = open(table("file", family()));
    region.delete(new Delete(ROW).addColumn(FAMILY, QUALIFIER, 5));
    region.flush(true);
    region.put(put(1, 5, "hidden"));
    region.put(put(1, 3, "visible"));
    assertThat(read(region, ALL_VERSIONS)).containsExactly("row1:q@3=visible");
    region.flush(true);
    assertThat(read(region, ALL_VERSIONS)).isEmpty();
  }

  private static KeyValue cell(long sequence, long timestamp, KeyValue.Type type) {
    KeyValue cell = new KeyValue(ROW, FAMILY, QUALIFIER, timestamp, type, Bytes.toBytes("value"));
    cell.setSequenceId(sequence);
    return cell;
  }

  @Test
  void aPutThatAMarkerOfTheFlushedSegmentsHidesIsNoVersion() throws Exception {
    HRegion region = open(withOurs("ADAPTIVE", "flushing", family()));
    region.delete(new Delete(ROW).addColumn(FAMILY, QUALIFIER, 5));
    SnapshotDrop.drop(
        region,
        storeOf(region),
        () -> {
          region.put(put(1, 5, "hidden"));
          region.put(put(1, 3, "visible"));
          try {
            compact(region);
          } catch (Exception e) {
            throw new IOException(e);
          }
          assertThat(read(region, ALL_VERSIONS)).containsExactly("row1:q@3=visible");
        });
  }
}
