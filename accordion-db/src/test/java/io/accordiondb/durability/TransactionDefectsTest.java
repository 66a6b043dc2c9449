// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Scan;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.retention.CellExpiry;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.asm.Advice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Defects of transactions, each of which the check of histories or the model of conflicts must
 * find.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class TransactionDefectsTest {
  private static final String TESTS = "transaction.TransactionHistoryTest#";
  private static final String SNAPSHOT = TESTS + "snapshotTransactionsShowWriteSkewAtMost";
  private static final String SERIALIZABLE = TESTS + "serializableTransactionsShowNoAnomaly";

  /** What is wrong, and the test that must notice. */
  private enum Wrong {
    NOTHING_IS_VALIDATED(SNAPSHOT, defect().stub("internal.transaction.Validation", "check")),
    OWN_WRITES_ARE_NOT_READ(SNAPSHOT, defect().stub("internal.read.PendingCells", "view")),
    ROWS_THAT_WERE_READ_ARE_NOT_VALIDATED(
        SERIALIZABLE, defect().stub("internal.transaction.TransactionReads", "note")),
    RANGES_THAT_WERE_READ_ARE_NOT_VALIDATED(
        SERIALIZABLE, defect().stub("internal.transaction.ReadSet", "addRange")),
    RANGES_ARE_VALIDATED_IN_THEIR_FIRST_REGION(SERIALIZABLE, rangesEndWithTheirRegion()),
    ROWS_ARE_VALIDATED_IN_THE_FIRST_REGION(SNAPSHOT, rowsEndWithTheirRegion()),
    THE_LAST_ROW_OF_A_SCAN_DOWNWARDS_IS_NOT_VALIDATED(SERIALIZABLE, withoutLastDownwards());

    private final String test;
    private final Defect defect;

    Wrong(String test, Defect defect) {
      this.test = test;
      this.defect = defect;
    }
  }

  /**
   * What is wrong with conflicts, and with readers that stay open over changes, and a seed with
   * which the model has found it soon.
   */
  private enum Overlooked {
    RANGES_BEHIND_THEIR_FIRST_REGION(1, rangesEndWithTheirRegion()),
    ROWS_BEHIND_THE_FIRST_REGION(1, rowsEndWithTheirRegion()),
    THE_LAST_ROW_OF_A_SCAN_DOWNWARDS(37, withoutLastDownwards()),
    THE_LAST_ROW_OF_A_SCAN_UPWARDS(
        34, defect().advise("internal.transaction.RowRangeRead", "end", EndsBefore.class)),
    ROWS_BEHIND_THE_LAST_THAT_A_SCAN_FOUND(
        1, defect().advise("internal.transaction.RowRangeRead", "extendTo", KnowsNoEnd.class)),
    ROWS_THAT_WERE_READ_FOR_UPDATE(
        3, defect().stub("internal.transaction.EngineTransaction", "noteForUpdate")),
    RANGE_TOMBSTONES(1, defect().stub("internal.transaction.NewerCells", "checkDeleted")),
    RANGE_TOMBSTONES_IN_STORES_WITHOUT_NEWER_CELLS(
        1, defect().advise("internal.transaction.NewerCells", "isEmpty", SeesNoRanges.class)),
    RANGE_TOMBSTONES_THAT_HAVE_DELETED_NOTHING(
        1, defect().advise("internal.region.FileSet", "change", KnowsNoReaders.class)),
    ROWS_THAT_WERE_DELETED_AND_DROPPED(
        1, defect().advise("retention.RetentionFilter", "keepsNextVersion", DropsMarkers.class)),
    OPERANDS_THAT_HAVE_EXPIRED(
        6, defect().advise("retention.ColumnFold", "decideOperand", DropsExpiredOperands.class)),
    PUTS_THAT_HAVE_EXPIRED(
        1, defect().advise("retention.RetentionFilter", "keepsNextVersion", DropsExpired.class)),
    PUTS_THAT_A_FILTER_DROPS(
        7, defect().advise("retention.RetentionFilter", "keepsNextVersion", DropsFiltered.class)),
    ROWS_BEHIND_THE_LAST_THAT_A_CURSOR_FOUND(
        11, defect().advise("internal.table.RowScanner", "goTo", SeeksAsAScanMoves.class)),
    THE_WAY_THAT_A_CURSOR_HAS_COME(
        2, defect().fix("internal.table.RowScanner", "isDownwards", false)),
    THAT_A_RANGE_WAS_DELETED_BEHIND_A_CURSOR(
        1, defect().advise("retention.DeletedRanges", "walk", SeesLaterRanges.class)),
    TRUNCATIONS_AND_DROPS(1, defect().fix("internal.catalog.LostHistory", "startOf", 0L)),
    DROPS_OF_TABLES_THAT_ARE_THERE_AGAIN(
        1, defect().advise("internal.catalog.Catalog", "create", ForgetsLosses.class)),
    FAMILIES_THAT_ARE_NOT_THERE_TO_A_READER(
        8, defect().stub("internal.catalog.LostHistory", "lastOfOthers")),
    FAMILIES_THAT_ARE_NOT_THERE_TO_A_COMMIT(
        1,
        defect()
            .advise("internal.transaction.ReadSet$TableKey", "families", NamesNone.class)
            .fix("internal.transaction.ReadSet$TableKey", "isRead", false)),
    THAT_AN_ALTERED_FAMILY_IS_THE_SAME(
        1, defect().advise("internal.catalog.FamilyNumbers", "altered", KnowsNoFamilies.class));

    private final long firstSeed;
    private final Defect defect;

    Overlooked(long firstSeed, Defect defect) {
      this.firstSeed = firstSeed;
      this.defect = defect;
    }
  }

  private static Defect defect() {
    return new Defect();
  }

  private static Defect rangesEndWithTheirRegion() {
    return defect().advise("internal.transaction.Validation", "overlap", OnlyWhereItBegins.class);
  }

  private static Defect rowsEndWithTheirRegion() {
    return defect().advise("internal.transaction.Validation", "checkRows", OnlyFirstRegion.class);
  }

  private static Defect withoutLastDownwards() {
    return defect().advise("internal.transaction.RowRangeRead", "first", BeginsBehind.class);
  }

  /** Has a range of rows end with the region in which it begins. */
  static final class OnlyWhereItBegins {
    private OnlyWhereItBegins() {}

    @Advice.OnMethodExit
    static void exit(
        @Advice.Argument(0) Region region,
        @Advice.Argument(1) Object range,
        @Advice.Return(readOnly = false) boolean overlap)
        throws ReflectiveOperationException {
      // Code of the class that it is planted in, which may call what its package may.
      byte[] first = (byte[]) range.getClass().getDeclaredMethod("first").invoke(range);
      overlap = overlap && Arrays.compareUnsigned(region.startKey(), first) <= 0;
    }
  }

  /** Leaves rows out that do not lie in the region of the first. */
  static final class OnlyFirstRegion {
    private OnlyFirstRegion() {}

    @Advice.OnMethodEnter
    static void enter(
        @Advice.Argument(0) TableState table,
        @Advice.Argument(value = 1, readOnly = false) NavigableSet<byte[]> rows) {
      byte[] end = table.regions().regionOf(rows.first()).endKey();
      if (end.length > 0) {
        rows = rows.headSet(end, false);
      }
    }
  }

  /** Has the rows that a scan downwards has passed begin behind the last one. */
  static final class BeginsBehind {
    private BeginsBehind() {}

    @Advice.OnMethodExit
    static void exit(
        @Advice.FieldValue("scan") Scan scan,
        @Advice.FieldValue("reached") byte[] reached,
        @Advice.Return(readOnly = false) byte[] first) {
      if (scan.reversed() && reached != null) {
        first = Arrays.copyOf(reached, reached.length + 1);
      }
    }
  }

  /** Has the rows that a scan upwards has passed end before the last one. */
  static final class EndsBefore {
    private EndsBefore() {}

    @Advice.OnMethodExit
    static void exit(
        @Advice.FieldValue("scan") Scan scan,
        @Advice.FieldValue("reached") byte[] reached,
        @Advice.Return(readOnly = false) byte[] end) {
      if (!scan.reversed() && reached != null) {
        end = reached;
      }
    }
  }

  /** Takes no notice of the end of a scan. */
  static final class KnowsNoEnd {
    private KnowsNoEnd() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter(@Advice.Argument(0) byte[] row) {
      return row == null;
    }
  }

  /** Says that there is nothing newer if no cell is. */
  static final class SeesNoRanges {
    private SeesNoRanges() {}

    @Advice.OnMethodExit
    static void exit(
        @Advice.FieldValue("sources") List<?> sources,
        @Advice.Return(readOnly = false) boolean empty) {
      empty = sources.isEmpty();
    }
  }

  /** Drops range tombstones as if all readers saw them. */
  static final class KnowsNoReaders {
    private KnowsNoReaders() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(value = 3, readOnly = false) long smallestReadPoint) {
      smallestReadPoint = Long.MAX_VALUE;
    }
  }

  /** Drops markers that have nothing left to hide, though not all readers see them. */
  static final class DropsMarkers {
    private DropsMarkers() {}

    @Advice.OnMethodExit
    static void exit(
        @Advice.Argument(0) ByteBuffer buffer,
        @Advice.Argument(1) int offset,
        @Advice.Argument(3) long sequence,
        @Advice.FieldValue("dropsMarkersBelow") long dropsMarkersBelow,
        @Advice.Return(readOnly = false) boolean keeps) {
      boolean isPut = KeyValueLayout.typeCode(buffer, offset) == CellType.PUT.code();
      keeps = keeps && (isPut || sequence >= dropsMarkersBelow);
    }
  }

  /** Drops operands that have expired, though not all readers have seen them. */
  static final class DropsExpiredOperands {
    private DropsExpiredOperands() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter(@Advice.This Object fold, @Advice.Argument(0) int cell)
        throws ReflectiveOperationException {
      Method isExpired = fold.getClass().getDeclaredMethod("isExpired", int.class);
      return (boolean) isExpired.invoke(fold, cell);
    }
  }

  /** Drops puts that have expired, though not all readers have seen them. */
  static final class DropsExpired {
    private DropsExpired() {}

    @Advice.OnMethodExit
    static void exit(
        @Advice.Argument(0) ByteBuffer buffer,
        @Advice.Argument(1) int offset,
        @Advice.Argument(2) int length,
        @Advice.FieldValue("nowMillis") long nowMillis,
        @Advice.FieldValue("oldestLiveTimestamp") long oldestLiveTimestamp,
        @Advice.Return(readOnly = false) boolean keeps) {
      boolean expired =
          KeyValueLayout.timestamp(buffer, offset) < oldestLiveTimestamp
              || CellTags.isExpired(buffer, offset, length, nowMillis);
      keeps = keeps && !expired;
    }
  }

  /** Drops puts that a filter drops, though not all readers have seen them. */
  static final class DropsFiltered {
    private DropsFiltered() {}

    @Advice.OnMethodExit
    static void exit(
        @Advice.Argument(0) ByteBuffer buffer,
        @Advice.Argument(1) int offset,
        @Advice.FieldValue("expiry") CellExpiry expiry,
        @Advice.FieldValue("nowMillis") long nowMillis,
        @Advice.Return(readOnly = false) boolean keeps) {
      boolean isPut = KeyValueLayout.typeCode(buffer, offset) == CellType.PUT.code();
      keeps = keeps && !(isPut && expiry != null && expiry.isExpired(buffer, offset, nowMillis));
    }
  }

  /** Takes a seek for a step of a scan, behind which nothing was read. */
  static final class SeeksAsAScanMoves {
    private SeeksAsAScanMoves() {}

    @Advice.OnMethodExit
    static void exit(
        @Advice.FieldValue(value = "repositioned", readOnly = false) boolean repositioned) {
      repositioned = false;
    }
  }

  /** Deletes ranges for readers of before, too. */
  static final class SeesLaterRanges {
    private SeesLaterRanges() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(value = 0, readOnly = false) long readPoint) {
      readPoint = Long.MAX_VALUE;
    }
  }

  /** Takes a table for the first of its name. */
  static final class ForgetsLosses {
    private ForgetsLosses() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.FieldValue("lostHistory") Object lostHistory)
        throws ReflectiveOperationException {
      Field losses = lostHistory.getClass().getDeclaredField("losses");
      losses.setAccessible(true);
      ((Map<?, ?>) losses.get(lostHistory)).clear();
    }
  }

  /** Does not ask for any family. */
  static final class NamesNone {
    private NamesNone() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Return(readOnly = false) List<String> families) {
      families = List.of();
    }
  }

  /** Takes all families of an altered table for new ones. */
  static final class KnowsNoFamilies {
    private KnowsNoFamilies() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(value = 0, readOnly = false) TableRecord old) {
      old = new TableRecord(old.tableId(), old.name(), List.of());
    }
  }

  @ParameterizedTest
  @EnumSource
  void byTheCheckOfHistories(Wrong wrong) throws ClassNotFoundException {
    assertThat(wrong.defect.failureOf(wrong.test)).isInstanceOf(AssertionError.class);
  }

  @ParameterizedTest
  @EnumSource
  void byTheModelOfConflicts(Overlooked overlooked) {
    DefectsAreFoundTest.assertFound(
        () -> overlooked.defect.hunt("conflicts", overlooked.firstSeed));
  }

  @Test
  void whereNothingIsWrongNothingIsFound() throws ClassNotFoundException {
    assertThat(new Defect().failureOf(SNAPSHOT)).isNull();
    assertThat(new Defect().failureOf(SERIALIZABLE)).isNull();
  }
}
