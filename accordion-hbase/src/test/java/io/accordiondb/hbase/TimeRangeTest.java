// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Scans of a range of timestamps, which need not read a segment whose timestamps are all outside.
 */
class TimeRangeTest extends RegionFixture {
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int TIMES = 200;
  private static final int STEPS = 2000;
  private static final int ROWS = 20;

  /** The steps whose timestamps are close together; a segment has fewer. */
  private static final int PERIOD = 100;

  private static final int PERIOD_TIMES = 6;

  /** Merges only: what is dropped is missing in a range that newer versions are not in. */
  private static TableDescriptorBuilder mergedOnly(ColumnFamilyDescriptorBuilder family) {
    return withOurs(table("range", family))
        .setValue(StoreSettings.POLICY_KEY, "BASIC")
        .setValue(StoreSettings.ACTIVE_FRACTION_KEY, "0.000005")
        .setValue(StoreSettings.PIPELINE_SEGMENTS_KEY, "30");
  }

  /** By the new rules a version counts wherever it is, as if the range did not matter. */
  @Test
  void byTheNewRulesAVersionAboveTheRangeCountsThatIsInAnotherSegment() throws IOException {
    HRegion region = open(mergedOnly(family().setNewVersionBehavior(true)));
    region.put(put(1, 25, "newest"));
    ArenaMemStore memStore = memStoreOf(region);
    for (int row = 2; memStore.figures().inMemoryFlushes() == 0; row++) {
      region.put(put(row, 25, "filling"));
    }
    region.put(put(1, 15, "older"));
    Scan scan = new Scan().setTimeRange(10, 20);
    assertThat(read(region, scan)).isEmpty();
    region.flush(true);
    assertThat(read(region, scan)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1, FALSE, false, 5",
    "3, FALSE, false, 1000",
    "3, TTL, false, 100",
    "3, TRUE, false, 100",
    "1, FALSE, true, 1000",
    "3, FALSE, true, 100",
    "3, TRUE, true, 1000",
  })
  void readersOfARangeSeeWhatTheySeeWithHBasesOwnStore(
      int versions, KeepDeletedCells keepDeleted, boolean newRules, int stepsByMarker)
      throws IOException {
    ColumnFamilyDescriptorBuilder family =
        family()
            .setMaxVersions(versions)
            .setKeepDeletedCells(keepDeleted)
            .setNewVersionBehavior(newRules);
    HRegion ours = open(mergedOnly(family));
    HRegion hbases = open(table("range", family));
    Random random = new Random(versions);
    int from = 0;
    for (int step = 0; step < STEPS; step++) {
      if (step % PERIOD == 0) {
        from = random.nextInt(TIMES);
      }
      int row = random.nextInt(ROWS);
      int timestamp = 1 + from + random.nextInt(PERIOD_TIMES);
      boolean deletes = random.nextInt(stepsByMarker) == 0;
      write(ours, row, timestamp, step, deletes);
      write(hbases, row, timestamp, step, deletes);
      if (step % 10 == 9) {
        int start = random.nextInt(TIMES);
        Scan scan =
            new Scan()
                .readVersions(1 + random.nextInt(versions))
                .setTimeRange(start, start + 1 + random.nextInt(TIMES / 2))
                .setReversed(random.nextInt(4) == 0);
        assertThat(read(ours, scan)).as(step + ": " + scan).isEqualTo(read(hbases, scan));
      }
    }
    assertThat(memStoreOf(ours).figures().segments()).isGreaterThan(5);
  }

  private static void write(HRegion region, int row, int timestamp, int step, boolean deletes)
      throws IOException {
    if (deletes) {
      region.delete(
          new Delete(Bytes.toBytes("row" + row)).addColumns(FAMILY, QUALIFIER, timestamp));
    } else {
      region.put(put(row, timestamp, "value" + step));
    }
  }
}
