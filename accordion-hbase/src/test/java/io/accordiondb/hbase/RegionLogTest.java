// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.SnapshotDrop;
import org.junit.jupiter.api.Test;

/** What the log of a region is told that it no longer needs. */
class RegionLogTest extends RegionFixture {
  /** What was overwritten in memory is no longer needed from the log; what was not still is. */
  @Test
  void theLogIsToldOfTheOldestCellThatIsLeft() throws Exception {
    HRegion region = open(withOurs(table("logged", family())));
    region.put(put(0, 0, "first"));
    long first = earliestInLog(region);
    assertThat(first).isPositive();
    FILES.waitFor(
        180_000,
        () -> {
          overwrite(region);
          return earliestInLog(region) > first;
        });
    Put kept = put(1000, 1, "stays alone in its row");
    region.put(kept);
    long keptNumber = region.getMVCC().getReadPoint();
    FILES.waitFor(
        180_000,
        () -> {
          overwrite(region);
          return earliestInLog(region) == keptNumber;
        });
    overwrite(region);
    settle(region);
    assertThat(earliestInLog(region)).isEqualTo(keptNumber);
  }

  /** Told of the cells of a flush that has begun, the log would keep their number after it. */
  @Test
  void whileAFlushIsOnItsWayTheLogIsToldNothing() throws Exception {
    HRegion region = open(withOurs(table("flushed", family())));
    region.put(put(0, 0, "value"));
    byte[] name = region.getRegionInfo().getEncodedNameAsBytes();
    region.getWAL().startCacheFlush(name, Set.of(FAMILY));
    SnapshotDrop.drop(region, storeOf(region), () -> memStoreOf(region).settle());
    region.getWAL().completeCacheFlush(name, region.getMVCC().getReadPoint());
    assertThat(earliestInLog(region)).isEqualTo(HConstants.NO_SEQNUM);
  }

  private static long earliestInLog(HRegion region) {
    byte[] name = region.getRegionInfo().getEncodedNameAsBytes();
    return region.getWAL().getEarliestMemStoreSeqNum(name, FAMILY);
  }
}
