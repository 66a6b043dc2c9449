// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import static io.accordiondb.encoding.ModelCell.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What a compaction drops. {@link RetentionFilterModelTest} shows that no reader misses a cell;
 * this class shows that cells which nobody needs do go, and has the bounds of each rule.
 */
class RetentionFilterTest {
  private static final long NOW = 100;
  private static final long TTL = 10;

  /** The lowest timestamp that has not expired. */
  private static final long LIVE = NOW - TTL;

  private static final VersionRules ONE_VERSION =
      new VersionRules(1, 0, VersionRules.FOREVER, KeepDeletedCells.FALSE);

  private static RetentionFilter minor(VersionRules rules) {
    return new RetentionFilter(rules, Long.MAX_VALUE, NOW, false);
  }

  private static RetentionFilter major(VersionRules rules) {
    return new RetentionFilter(rules, Long.MAX_VALUE, NOW, true);
  }

  private static RetentionFilter countingAbove(long sequence) {
    UnseenHistory unseen = new UnseenHistory(ReadPointSet.from(Long.MAX_VALUE));
    ModelCell marker = new ModelCell("r", "", "q", 1, CellType.DELETE, sequence, "");
    unseen.addOlder(new HeldCells(List.of(marker)), 0);
    return new RetentionFilter(ONE_VERSION, null, unseen, NOW);
  }

  private static List<ModelCell> compacted(RetentionFilter filter, ModelCell... cells) {
    return new FilteredCells(List.of(cells)).compacted(filter).cells();
  }

  private static ModelCell marker(CellType type, String row, long timestamp, long sequence) {
    return new ModelCell(row, "", "", timestamp, type, sequence, "");
  }

  @Test
  void aMarkerIsDroppedIfANewerOneHidesAllThatItHides() {
    ModelCell row = marker(CellType.DELETE_FAMILY, "r", 9, 9);
    ModelCell column = marker(CellType.DELETE_COLUMN, "r", 8, 8);

    for (CellType type : List.of(CellType.DELETE_FAMILY, CellType.DELETE_COLUMN, CellType.DELETE)) {
      assertThat(compacted(minor(ONE_VERSION), row, marker(type, "r", 7, 7))).containsExactly(row);
    }
    for (CellType type : List.of(CellType.DELETE_COLUMN, CellType.DELETE)) {
      assertThat(compacted(minor(ONE_VERSION), column, marker(type, "r", 7, 7)))
          .containsExactly(column);
    }
  }

  @Test
  void aMarkerStaysThatHidesMoreThanTheOnesBeforeIt() {
    ModelCell column = marker(CellType.DELETE_COLUMN, "r", 8, 8);
    ModelCell writtenLater = marker(CellType.DELETE_COLUMN, "r", 7, 9);
    ModelCell sameNumber = marker(CellType.DELETE_COLUMN, "r", 7, 8);
    ModelCell version = marker(CellType.DELETE, "r", 8, 9);
    ModelCell columnBelow = marker(CellType.DELETE_COLUMN, "r", 7, 7);

    assertThat(compacted(minor(ONE_VERSION), column, writtenLater))
        .containsExactly(column, writtenLater);
    assertThat(compacted(minor(ONE_VERSION), column, sameNumber))
        .containsExactly(column, sameNumber);
    assertThat(compacted(minor(ONE_VERSION), version, columnBelow))
        .containsExactly(version, columnBelow);
    ModelCell sameVersion = marker(CellType.DELETE, "r", 8, 7);
    assertThat(compacted(minor(ONE_VERSION), version, sameVersion))
        .containsExactly(version, sameVersion);
    VersionRules keeping = new VersionRules(1, 0, VersionRules.FOREVER, KeepDeletedCells.TRUE);
    assertThat(compacted(minor(keeping), column, columnBelow)).containsExactly(column, columnBelow);
  }

  /** The delete of its version, which may come later, takes from a put what it would hide. */
  @Test
  void aMarkerBelowAPutThatHasExpiredStays() {
    ModelCell expired = put("r", "q", 5, 3, "").withTtl(1);
    ModelCell below = new ModelCell("r", expired.family(), "q", 4, CellType.DELETE_COLUMN, 2, "");

    assertThat(compacted(minor(ONE_VERSION), expired, below)).containsExactly(expired, below);
  }

  @Test
  void aPutThatWillExpireIsDroppedIfOthersHaveReplacedIt() {
    ModelCell newer = put("r", "q", 9, 2, "");
    ModelCell expiring = put("r", "q", 5, 1, "").withTtl(1_000);

    assertThat(compacted(minor(ONE_VERSION), newer, expiring)).containsExactly(newer);
  }

  @Test
  void anExpiredPutThatHidesNothingIsDropped() {
    ModelCell expired = put("r", "q", 5, 1, "").withTtl(1);

    assertThat(compacted(major(ONE_VERSION), expired)).isEmpty();
    assertThat(compacted(minor(ONE_VERSION), expired)).containsExactly(expired);
  }

  /** All cells of an ingested file have one number, and none of them hides another one. */
  @Test
  void aPutThatWillExpireDoesNotCountAgainstPutsOfTheSameNumber() {
    ModelCell first = put("r", "q", 9, 1, "a").withTtl(1_000);
    ModelCell second = put("r", "q", 7, 1, "b").withTtl(5_000);
    ModelCell third = put("r", "q", 5, 1, "c");
    FilteredCells before = new FilteredCells(List.of(first, second, third));

    for (FilteredCells cells : List.of(before, before.compacted(minor(ONE_VERSION)))) {
      assertThat(cells.read(ONE_VERSION, ReadRequest.allAt(1, NOW))).containsExactly(first);
      assertThat(cells.read(ONE_VERSION, ReadRequest.allAt(1, 2_000))).containsExactly(second);
      assertThat(cells.read(ONE_VERSION, ReadRequest.allAt(1, 10_000))).containsExactly(third);
    }
  }

  @Test
  void aPutWithItsOwnTimeToLiveEndsWithThatOfItsFamilyAtTheLatest() {
    VersionRules rules = new VersionRules(3, 1, TTL, KeepDeletedCells.FALSE);
    ModelCell newest = put("r", "q", LIVE + 1, 3, "");
    ModelCell lastLive = put("r", "q", LIVE, 2, "").withTtl(1_000);
    ModelCell tooOld = put("r", "q", LIVE - 1, 1, "").withTtl(1_000);

    assertThat(compacted(minor(rules), newest, lastLive, tooOld)).containsExactly(newest, lastLive);
    assertThat(compacted(minor(rules), newest, tooOld)).containsExactly(newest);
    assertThat(compacted(minor(rules), tooOld)).containsExactly(tooOld);
  }

  @Test
  void putsUpToTheNumberOfUnseenMarkersDoNotCount() {
    ModelCell lasting = put("r", "q", 9, 2, "");
    ModelCell older = put("r", "q", 5, 1, "");
    ModelCell expiring = lasting.withTtl(1_000);

    assertThat(compacted(countingAbove(2), lasting, older)).containsExactly(lasting, older);
    assertThat(compacted(countingAbove(1), lasting, older)).containsExactly(lasting);
    assertThat(compacted(countingAbove(2), expiring, older)).containsExactly(expiring, older);
    assertThat(compacted(countingAbove(1), expiring, older)).containsExactly(expiring);
  }

  @Test
  void aMarkerIsDroppedBelowTheOldestUnseenCell() {
    RetentionFilter filter =
        new RetentionFilter(ONE_VERSION, null, ReadPointSet.from(Long.MAX_VALUE), NOW, 5);
    ModelCell first = marker(CellType.DELETE_FAMILY, "r", 9, 5);
    ModelCell second = marker(CellType.DELETE_FAMILY, "r", 8, 4);

    assertThat(compacted(filter, first, second)).containsExactly(first);
  }

  @Test
  void aFamilyThatKeepsDeletedCellsDropsExpiredMarkersUnlessVersionsOutliveThem() {
    ModelCell expired = marker(CellType.DELETE_FAMILY, "r", LIVE - 1, 1);
    ModelCell live = marker(CellType.DELETE_FAMILY, "r", LIVE, 2);
    VersionRules none = new VersionRules(3, 0, TTL, KeepDeletedCells.TRUE);
    VersionRules one = new VersionRules(3, 1, TTL, KeepDeletedCells.TRUE);

    assertThat(compacted(major(none), live, expired)).containsExactly(live);
    assertThat(compacted(major(one), live, expired)).containsExactly(live, expired);
  }

  @Test
  void aDeletedPutWithATimeToLiveStaysWhereDeletedCellsAreKept() {
    VersionRules rules = new VersionRules(3, 0, VersionRules.FOREVER, KeepDeletedCells.TRUE);
    ModelCell deletion = marker(CellType.DELETE_FAMILY, "r", 9, 2);
    ModelCell deleted = put("r", "q", 5, 1, "").withTtl(1_000);

    assertThat(compacted(minor(rules), deletion, deleted)).containsExactly(deletion, deleted);
  }

  @Test
  void markersEndWithTheirRow() {
    VersionRules rules = new VersionRules(1, 0, VersionRules.FOREVER, KeepDeletedCells.TRUE);
    ModelCell otherRow = marker(CellType.DELETE_FAMILY, "r", 20, 5);
    ModelCell newer = put("s", "q", 9, 1, "");
    ModelCell older = put("s", "q", 5, 6, "");

    assertThat(compacted(minor(rules), otherRow, newer, older)).containsExactly(otherRow, newer);
  }

  @Test
  void expiredMarkersEndWithTheirRow() {
    VersionRules rules = new VersionRules(1, 1, TTL, KeepDeletedCells.TTL);
    ModelCell otherRow = marker(CellType.DELETE_FAMILY, "r", LIVE - 1, 3);
    ModelCell deletion = marker(CellType.DELETE_FAMILY, "s", LIVE, 2);
    ModelCell deleted = put("s", "q", LIVE - 1, 1, "");

    assertThat(compacted(minor(rules), otherRow, deletion, deleted))
        .containsExactly(otherRow, deletion, deleted);
  }

  /** A caller that announces columns does not say that another row begins. */
  @Test
  void aMarkerInAnAnnouncedColumnHidesTheRestOfItsRow() {
    RetentionFilter filter = major(ONE_VERSION);
    ModelCell otherRow = put("r", "q", 9, 1, "");
    ModelCell deletion = marker(CellType.DELETE_FAMILY, "s", 9, 3);
    ModelCell deleted = put("s", "q", 5, 2, "");

    assertThat(filter.keeps(otherRow.encode(), 0, otherRow.length(), 1)).isTrue();
    assertThat(filter.keepsNextColumn(deletion.encode(), 0, deletion.length(), 3)).isFalse();
    assertThat(filter.keepsNextColumn(deleted.encode(), 0, deleted.length(), 2)).isFalse();
  }

  @Test
  void whatALaterPutHidesGoesUnlessAReaderSeesNoLaterOne() {
    ModelCell first = ModelCell.put("r", "q", 1, 11, "");
    ModelCell second = ModelCell.put("r", "q", 2, 12, "");
    ModelCell third = ModelCell.put("r", "q", 3, 13, "");
    assertThat(compacted(readAt(20, 10), first, second, third)).containsExactly(third);
    assertThat(compacted(readAt(20, 10, 12), first, second, third)).containsExactly(third, second);
    assertThat(compacted(readAt(12, 10), first, second, third)).containsExactly(third, second);
  }

  @Test
  void whatALaterMarkerHidesGoesUnlessAReaderSeesNoLaterOne() {
    ModelCell put = ModelCell.put("r", "q", 1, 11, "");
    ModelCell marker = new ModelCell("r", "", "q", 2, CellType.DELETE_COLUMN, 13, "");
    assertThat(compacted(readAt(20, 10), put, marker)).containsExactly(marker);
    assertThat(compacted(readAt(20, 10, 12), put, marker)).containsExactly(marker, put);
  }

  /** The later version does not hide the earlier one any more. */
  @Test
  void aVersionBelowADeletedOneStays() {
    ModelCell first = ModelCell.put("r", "q", 1, 11, "");
    ModelCell second = ModelCell.put("r", "q", 2, 12, "");
    ModelCell marker = new ModelCell("r", "", "q", 2, CellType.DELETE, 13, "");
    assertThat(compacted(readAt(20, 10), first, second, marker)).contains(first);
  }

  private static RetentionFilter readAt(long newest, long... held) {
    return new RetentionFilter(ONE_VERSION, null, ReadPointSet.of(held, newest), NOW, 0);
  }
}
