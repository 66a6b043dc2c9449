// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import static io.accordiondb.internal.manifest.Edits.addFile;
import static io.accordiondb.internal.manifest.Edits.file;
import static io.accordiondb.internal.manifest.Edits.putRegion;
import static io.accordiondb.internal.manifest.Edits.putTable;
import static io.accordiondb.internal.manifest.Edits.region;
import static io.accordiondb.internal.manifest.Edits.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.RangeTombstones;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class VersionTest {
  /** Two tables: 1 with regions 11 to 13, 2 with region 21; families 1 and 2; files 31 to 33. */
  private final Version version =
      apply(
          Version.EMPTY,
          new VersionEdit.SetNextNumber(1000),
          putTable(1, "one", 1, 2),
          putRegion(13, 1, "t", ""),
          putRegion(11, 1, "", "g"),
          putRegion(12, 1, "g", "t"),
          putTable(2, "two", 1, 2),
          putRegion(21, 2, "", ""),
          addFile(32, 11, 1),
          addFile(31, 11, 1),
          addFile(33, 11, 2),
          new VersionEdit.SetFlushedSequence(11, 1, 339),
          new VersionEdit.SetFlushedSequence(11, 2, 300),
          new VersionEdit.SetClockFloor(77),
          new VersionEdit.SetClockCeiling(99));

  private static Version apply(Version version, VersionEdit... edits) {
    return version.apply(List.of(edits));
  }

  private void refuses(String problem, VersionEdit... edits) {
    String before = Edits.describe(version);
    assertThatThrownBy(() -> apply(version, edits))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
    assertThat(Edits.describe(version)).isEqualTo(before);
  }

  @Test
  void everythingIsFound() {
    assertThat(version.tables()).containsExactly(table(1, "one", 1, 2), table(2, "two", 1, 2));
    assertThat(version.table(1)).isEqualTo(version.table("one")).isEqualTo(table(1, "one", 1, 2));
    assertThat(version.table(3)).isNull();
    assertThat(version.table("three")).isNull();
    assertThat(version.region(12)).isEqualTo(region(12, 1, "g", "t"));
    assertThat(version.region(14)).isNull();
    assertThat(version.regionsOf(1))
        .containsExactly(region(11, 1, "", "g"), region(12, 1, "g", "t"), region(13, 1, "t", ""));
    assertThat(version.regionsOf(2)).containsExactly(region(21, 2, "", ""));
    assertThat(version.regionsOf(3)).isEmpty();
    assertThat(version.files()).containsExactly(file(31, 11, 1), file(32, 11, 1), file(33, 11, 2));
    assertThat(version.filesOf(11, 1)).containsExactly(file(31, 11, 1), file(32, 11, 1));
    assertThat(version.filesOf(11, 2)).containsExactly(file(33, 11, 2));
    assertThat(version.filesOf(12, 1)).isEmpty();
    assertThat(version.flushedSequence(11, 1)).isEqualTo(339);
    assertThat(version.flushedSequence(12, 1)).isZero();
    assertThat(version.lastFlushedSequence()).isEqualTo(339);
    assertThat(version.nextNumber()).isEqualTo(1000);
    assertThat(version.clockFloor()).isEqualTo(77);
    assertThat(version.clockCeiling()).isEqualTo(99);
  }

  @Test
  void emptyVersionHoldsNothing() {
    assertThat(Version.EMPTY.tables()).isEmpty();
    assertThat(Version.EMPTY.files()).isEmpty();
    assertThat(Version.EMPTY.lastFlushedSequence()).isZero();
    assertThat(Version.EMPTY.nextNumber()).isEqualTo(1);
  }

  @Test
  void tableMayGetAnotherNameAndOtherFamilies() {
    Version changed = apply(version, putTable(2, "zwei", 2, 3));
    assertThat(changed.table("two")).isNull();
    assertThat(changed.table("zwei")).isEqualTo(table(2, "zwei", 2, 3));
    assertThat(version.table("two")).isNotNull();
  }

  @Test
  void droppedFamilyTakesItsMarksAlongButItsFilesMustBeRemoved() {
    refuses("of a family that it does not have", putTable(1, "one", 1));
    Version changed = apply(version, putTable(1, "one", 1), new VersionEdit.RemoveFile(33));
    assertThat(changed.flushedSequence(11, 2)).isZero();
    assertThat(changed.flushedSequence(11, 1)).isEqualTo(339);
    assertThat(changed.filesOf(11, 2)).isEmpty();
  }

  @Test
  void droppedRegionTakesItsFilesAlong() {
    Version changed = apply(version, new VersionEdit.DropRegion(11));
    assertThat(changed.region(11)).isNull();
    assertThat(changed.regionsOf(1)).hasSize(2);
    assertThat(changed.files()).isEmpty();
    assertThat(changed.flushedSequence(11, 1)).isZero();
    assertThat(version.files()).hasSize(3);
  }

  @Test
  void regionMayBeSplit() {
    Version changed =
        apply(
            version,
            new VersionEdit.DropRegion(12),
            putRegion(15, 1, "k", "t"),
            putRegion(14, 1, "g", "k"));
    assertThat(changed.regionsOf(1).stream().map(RegionRecord::regionId))
        .containsExactly(11L, 14L, 15L, 13L);
  }

  @Test
  void tableIsDroppedWithoutRegions() {
    refuses("it has regions", new VersionEdit.DropTable(2));
    Version changed = apply(version, new VersionEdit.DropRegion(21), new VersionEdit.DropTable(2));
    assertThat(changed.table("two")).isNull();
    assertThat(changed.tables()).hasSize(1);
    assertThat(apply(changed, putTable(3, "two", 1)).table("two")).isNotNull();
  }

  @Test
  void whatIsUnknownIsRefused() {
    refuses("no such table", new VersionEdit.DropTable(3));
    refuses("no such table", putRegion(22, 3, "", ""));
    refuses("no such region", new VersionEdit.DropRegion(14));
    refuses("no such region", addFile(34, 14, 1));
    refuses("no such family", addFile(34, 11, 3));
    refuses("no such file", new VersionEdit.RemoveFile(34));
    refuses("no such region", new VersionEdit.SetFlushedSequence(14, 1, 5));
    refuses("no such family", new VersionEdit.SetFlushedSequence(11, 3, 5));
  }

  @Test
  void whatIsThereAlreadyIsRefused() {
    refuses("another table has that name", putTable(3, "two", 1));
    refuses("two families are the same", putTable(3, "three", 1, 1));
    refuses("the region is there already", putRegion(21, 2, "", ""));
    refuses("the file is there already", addFile(31, 21, 1));
  }

  @Test
  void numbersThatWereNotGivenOutAreRefused() {
    refuses("never given out", putTable(1000, "three", 1));
    refuses("never given out", putRegion(0, 1, "", ""));
    refuses("never given out", addFile(1001, 11, 1));
  }

  @Test
  void aPreparedLogFileBeginsOnce() {
    VersionEdit.AddLog preparing = VersionEdit.AddLog.prepared(40);
    VersionEdit.AddLog beginning = new VersionEdit.AddLog(40, 7);
    Version prepared = apply(version, preparing);
    Version begun = apply(prepared, beginning);
    for (Version each : List.of(prepared, begun)) {
      assertThat(each.highestLog()).isEqualTo(40);
      assertThat(Version.EMPTY.apply(each.asEdits()).logs())
          .containsExactly(each == begun ? beginning : preparing);
      for (VersionEdit again : List.of(preparing, new VersionEdit.AddLog(39, 0))) {
        assertThatThrownBy(() -> apply(each, again)).hasMessageContaining("behind it");
      }
    }
    assertThatThrownBy(() -> apply(begun, beginning)).hasMessageContaining("behind it");
    assertThat(apply(prepared, new VersionEdit.RemoveLog(40)).logs()).isEmpty();
    VersionEdit.AddLog next = new VersionEdit.AddLog(41, 9);
    assertThat(apply(prepared, next, beginning).logs()).containsExactly(beginning, next);
  }

  @Test
  void regionsThatOverlapAreRefused() {
    Version gap = apply(version, new VersionEdit.DropRegion(12));
    for (String[] range :
        new String[][] {{"f", "h"}, {"g", "u"}, {"", ""}, {"g", ""}, {"h", "tt"}, {"a", "b"}}) {
      assertThatThrownBy(() -> apply(gap, putRegion(15, 1, range[0], range[1])))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("overlaps");
    }
    for (String[] range : new String[][] {{"g", "g"}, {"h", "g"}}) {
      assertThatThrownBy(() -> apply(gap, putRegion(15, 1, range[0], range[1])))
          .hasMessageContaining("ends before it begins");
    }
    for (String[] range : new String[][] {{"g", "t"}, {"h", "i"}}) {
      assertThat(apply(gap, putRegion(15, 1, range[0], range[1])).regionsOf(1)).hasSize(3);
    }
  }

  @Test
  void marksAndLimitsNeverGoBack() {
    Version changed =
        apply(
            version,
            new VersionEdit.SetFlushedSequence(11, 1, 5),
            new VersionEdit.SetNextNumber(5),
            new VersionEdit.SetClockFloor(5));
    assertThat(Edits.describe(changed)).isEqualTo(Edits.describe(version));
  }

  @Test
  void editsOfAVersionLeadToIt() throws IOException {
    Version again = Version.EMPTY.apply(version.asEdits());
    assertThat(Edits.describe(again)).isEqualTo(Edits.describe(version));
    Random random = new Random(1);
    Version grown = Version.EMPTY.apply(List.of(new VersionEdit.SetNextNumber(10_000)));
    long[] number = {0};
    for (int i = 0; i < 300; i++) {
      grown = grown.apply(Edits.fitting(grown, () -> ++number[0], random));
      assertThat(Edits.describe(Version.EMPTY.apply(grown.asEdits())))
          .isEqualTo(Edits.describe(grown));
    }
  }

  @Test
  void oneEditOfAHundredThousandFilesIsCheap() {
    List<VersionEdit> edits = new ArrayList<>();
    edits.add(new VersionEdit.SetNextNumber(1_000_000));
    for (int i = 0; i < 100_000; i++) {
      edits.add(addFile(2000 + i, 11, 1));
    }
    Version large = version.apply(edits);
    // The processor's time does not grow while other processes run.
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begun = threads.getCurrentThreadCpuTime();
    Version changed = large;
    for (int i = 0; i < 10_000; i++) {
      changed = apply(changed, addFile(200_000 + i, 11, 1), new VersionEdit.RemoveFile(2000 + i));
    }
    assertThat(TimeUnit.NANOSECONDS.toSeconds(threads.getCurrentThreadCpuTime() - begun))
        .isLessThan(10);
    assertThat(changed.files()).hasSize(100_003);
    assertThat(large.filesOf(11, 1)).hasSize(100_002);
  }

  @Test
  void noEditHasMoreTombstonesThanARecordShouldHave() {
    List<RangeTombstone> all = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      byte[] start = Arrays.copyOf(ByteBuffer.allocate(4).putInt(2 * i).array(), 1000);
      byte[] end = Arrays.copyOf(ByteBuffer.allocate(4).putInt(2 * i + 1).array(), 1000);
      all.add(new RangeTombstone(start, end, i + 1));
    }
    RangeTombstones tombstones = RangeTombstones.of(all);
    List<VersionEdit.AddRangeTombstones> parts =
        VersionEdit.AddRangeTombstones.parts(1, 2, tombstones);
    assertThat(parts).hasSize(8).allMatch(part -> part.boundBytes() <= (1 << 20) + 2000);
    RangeTombstones together =
        parts.stream()
            .map(VersionEdit.AddRangeTombstones::tombstones)
            .reduce(RangeTombstones.NONE, RangeTombstones::plus);
    assertThat(together).isEqualTo(tombstones);
  }
}
