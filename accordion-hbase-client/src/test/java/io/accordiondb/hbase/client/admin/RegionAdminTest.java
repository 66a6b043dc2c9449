// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.hbase.client.admin.AdminFixture.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Get;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.CompactType;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.exceptions.MergeRegionException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RegionAdminTest {
  private static final TableName T = TableName.valueOf("t");
  private static final byte[] UNKNOWN = bytes("0123456789abcdef0123456789abcdef");

  private AdminFixture fixture;
  private Admin admin;

  @BeforeEach
  void open() throws IOException {
    fixture = new AdminFixture();
    admin = fixture.admin;
    admin.createTable(table("t", "f"), new byte[][] {bytes("g"), bytes("p")});
  }

  @AfterEach
  void close() throws IOException {
    fixture.close();
  }

  private List<String> starts() throws IOException {
    return admin.getRegions(T).stream()
        .map(region -> Bytes.toString(region.getStartKey()))
        .toList();
  }

  @Test
  void aTableIsSplitAtARow() throws Exception {
    admin.split(T, bytes("c"));
    assertThat(starts()).containsExactly("", "c", "g", "p");
    RegionInfo last = admin.getRegions(T).get(3);
    admin.splitRegionAsync(last.getRegionName(), bytes("x")).get();
    assertThat(starts()).containsExactly("", "c", "g", "p", "x");
    admin.splitRegionAsync(admin.getRegions(T).get(0).getEncodedNameAsBytes(), bytes("a")).get();
    assertThat(starts()).startsWith("", "a", "c");
    RegionInfo second = admin.getRegions(T).get(1);
    assertThatThrownBy(() -> admin.splitRegionAsync(second.getRegionName(), bytes("a")))
        .hasMessageContaining("should not give a splitkey which equals to startkey");
    assertThatThrownBy(() -> admin.splitRegionAsync(second.getRegionName(), bytes("q")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Split row q is not in region");
    assertThatThrownBy(() -> admin.splitRegionAsync(last.getRegionName(), bytes("z")))
        .as("it was split")
        .isInstanceOf(UnknownRegionException.class);
  }

  @Test
  void aTableIsSplitInTheMiddleOfItsRegions() throws IOException {
    assertThatThrownBy(() -> admin.split(T))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("try to specify the split row");
    for (int i = 1000; i < 3000; i++) {
      fixture.put("t", "h" + i);
    }
    admin.split(T);
    assertThat(starts()).hasSize(4);
    assertThat(starts().get(2)).isBetween("h1000", "h3000");
    assertThat(fixture.catalog.get(T).table().get(new Get(bytes("h2999"))).isEmpty()).isFalse();
  }

  @Test
  void neighboursAreMerged() throws Exception {
    List<RegionInfo> regions = admin.getRegions(T);
    byte[] first = regions.get(0).getEncodedNameAsBytes();
    byte[] second = regions.get(1).getRegionName();
    byte[] third = regions.get(2).getRegionName();
    assertThatThrownBy(() -> admin.mergeRegionsAsync(first, third, true))
        .isInstanceOf(MergeRegionException.class);
    assertThatThrownBy(() -> admin.mergeRegionsAsync(new byte[][] {first}, false))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> admin.mergeRegionsAsync(first, UNKNOWN, false))
        .isInstanceOf(UnknownRegionException.class);
    admin.createTable(table("u", "f"));
    byte[] other = admin.getRegions(TableName.valueOf("u")).get(0).getRegionName();
    assertThatThrownBy(() -> admin.mergeRegionsAsync(first, other, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two different tables");
    admin.mergeRegionsAsync(new byte[][] {third, first, second}, false).get();
    assertThat(starts()).containsExactly("");
  }

  @Test
  void switchesStopSplitsAndMerges() throws IOException {
    assertThat(admin.splitSwitch(false, true)).isTrue();
    assertThat(admin.isSplitEnabled()).isFalse();
    assertThatThrownBy(() -> admin.split(T, bytes("c")))
        .hasMessageContaining("Split switch is off");
    assertThat(admin.splitSwitch(true, true)).isFalse();
    admin.split(T, bytes("c"));
    assertThat(admin.mergeSwitch(false, true)).isTrue();
    List<RegionInfo> regions = admin.getRegions(T);
    assertThatThrownBy(
            () ->
                admin
                    .mergeRegionsAsync(
                        regions.get(0).getRegionName(), regions.get(1).getRegionName(), false)
                    .get())
        .hasMessageContaining("Merge switch is off");
    assertThat(admin.isMergeEnabled()).isFalse();
  }

  @Test
  void unknownRegionsAndFamiliesAreNamed() {
    assertThatThrownBy(() -> admin.flushRegion(UNKNOWN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0123456789abcdef");
    assertThatThrownBy(() -> admin.compactRegion(bytes("t,x,1.none.")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> admin.splitRegionAsync(UNKNOWN, null))
        .isInstanceOf(UnknownRegionException.class);
    assertThatThrownBy(() -> admin.flush(T, bytes("none")))
        .isInstanceOf(NoSuchColumnFamilyException.class)
        .hasMessageContaining("none");
    assertThatThrownBy(() -> admin.majorCompact(T, bytes("none")))
        .isInstanceOf(NoSuchColumnFamilyException.class);
    assertThatThrownBy(() -> admin.compact(T, CompactType.MOB))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> admin.getRegions(ServerName.valueOf("elsewhere", 1, 1)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("there is no server elsewhere,1,1");
  }

  private long files() throws IOException {
    return admin.getRegionMetrics(fixture.administration.server(), T).stream()
        .mapToLong(RegionMetrics::getStoreFileCount)
        .sum();
  }

  /** A program may ask once for each of many regions. */
  @Test
  void aRequestThatWaitsStandsForThoseThatFollow() throws Exception {
    BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    Compactions compactions = new Compactions(fixture.database, tasks::add);
    fixture.put("t", "row");
    for (int i = 0; i < 50; i++) {
      compactions.request(T, true);
      compactions.request(T, false);
    }
    assertThat(tasks).hasSize(1);
    assertThat(compactions.state(T)).isEqualTo(CompactionState.MAJOR_AND_MINOR);
    long before = fixture.database.statistics().compactions().count();
    tasks.remove().run();
    assertThat(compactions.state(T)).isEqualTo(CompactionState.NONE);
    assertThat(compactions.lastMajorMillis(T)).isPositive();
    assertThat(fixture.database.statistics().compactions().count() - before).isLessThanOrEqualTo(2);
    compactions.request(T, true);
    assertThat(tasks).hasSize(1);
  }

  @Test
  void aFlushWritesFilesAndACompactionMergesThem() throws Exception {
    for (int i = 0; i < 3; i++) {
      fixture.put("t", "a");
      admin.flush(T);
      assertThat(files()).isEqualTo(i + 1);
    }
    assertThat(admin.getLastMajorCompactionTimestamp(T)).isZero();
    long before = System.currentTimeMillis();
    admin.majorCompact(T);
    while (admin.getCompactionState(T) != CompactionState.NONE) {
      Thread.onSpinWait();
    }
    assertThat(files()).isEqualTo(1);
    assertThat(admin.getLastMajorCompactionTimestamp(T)).isGreaterThanOrEqualTo(before);
    admin.disableTable(T);
    assertThatThrownBy(() -> admin.flush(T)).isInstanceOf(TableNotEnabledException.class);
    assertThat(admin.getCompactionState(T)).isEqualTo(CompactionState.NONE);
  }

  @Test
  void aRegionIsTruncated() throws IOException {
    for (String row : List.of("a", "h", "z")) {
      fixture.put("t", row);
    }
    admin.truncateRegion(admin.getRegions(T).get(1).getRegionName());
    assertThat(isEmpty("a")).isFalse();
    assertThat(isEmpty("h")).isTrue();
    assertThat(isEmpty("z")).isFalse();
    fixture.put("t", "h");
    assertThat(isEmpty("h")).isFalse();
  }

  private boolean isEmpty(String row) throws IOException {
    return fixture.catalog.get(T).table().get(new Get(bytes(row))).isEmpty();
  }

  @Test
  void aLocatorAgreesWithTheRegions() throws Exception {
    try (RegionLocator locator = fixture.administration.regionLocator(T, () -> false)) {
      List<RegionInfo> regions = admin.getRegions(T);
      assertThat(locator.getAllRegionLocations())
          .extracting(HRegionLocation::getRegion)
          .containsExactlyElementsOf(regions);
      HRegionLocation location = locator.getRegionLocation(bytes("m"));
      assertThat(location.getRegion()).isEqualTo(regions.get(1));
      assertThat(location.getServerName()).isEqualTo(fixture.administration.server());
      assertThat(locator.getRegionLocation(bytes("g")).getRegion()).isEqualTo(regions.get(1));
      assertThat(locator.getRegionLocation(new byte[0]).getRegion()).isEqualTo(regions.get(0));
      assertThat(locator.getRegionLocation(bytes("zz")).getRegion()).isEqualTo(regions.get(2));
      assertThat(locator.getStartKeys()).isDeepEqualTo(new byte[][] {{}, bytes("g"), bytes("p")});
      assertThat(locator.getEndKeys()).isDeepEqualTo(new byte[][] {bytes("g"), bytes("p"), {}});
      assertThatThrownBy(() -> locator.getRegionLocation(bytes("m"), 1))
          .isInstanceOf(DoNotRetryIOException.class);
      admin.split(T, bytes("k"));
      assertThat(locator.getRegionLocation(bytes("m")).getRegion().getStartKey())
          .isEqualTo(bytes("k"));
    }
    AsyncTableRegionLocator async = fixture.administration.asyncRegionLocator(T, () -> false);
    assertThat(async.getRegionLocation(bytes("m")).get().getRegion().getStartKey())
        .isEqualTo(bytes("k"));
    assertThat(async.getAllRegionLocations().get()).hasSize(4);
    AsyncTableRegionLocator none =
        fixture.administration.asyncRegionLocator(TableName.valueOf("none"), () -> false);
    assertThatThrownBy(() -> none.getRegionLocation(bytes("m")).get())
        .hasCauseInstanceOf(TableNotFoundException.class);
    assertThat(none.getAllRegionLocations().get()).isEmpty();
  }
}
