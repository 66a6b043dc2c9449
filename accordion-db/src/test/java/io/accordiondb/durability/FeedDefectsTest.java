// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Cell;
import io.accordiondb.ChangedCell;
import io.accordiondb.ChangesLostException;
import io.accordiondb.CorruptionException;
import io.accordiondb.encoding.CellType;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.model.FeedHunt;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.asm.Advice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Defects of change feeds. A follower that lives through crashes must find them, or the test that
 * is made for one that it finds only by luck.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class FeedDefectsTest {
  private static final String TEST =
      "feed.ChangeFeedCrashTest#theCopyFollowsTheStoreThroughCrashes";

  /** What is wrong. */
  private enum Wrong {
    NAMES_OF_TABLES_ARE_FORGOTTEN(defect().stub("internal.manifest.RegionNames", "save")),
    LOG_FILES_ARE_KEPT_FROM_THE_LAST_WRITE_BEFORE_THE_OPENING(
        "feed.RetainedLogTest#theLogIsKeptFromWhenItIsNeedless",
        defect().advise("internal.clock.DatabaseClock", "latestMillis", SaysWhatIsSure.class)),
    LOG_FILES_ARE_NOT_KEPT(defect().stub("internal.wal.KeptLogs", "keep")),
    KEPT_LOG_FILES_GO_TOO_EARLY(
        "feed.RetainedLogTest#theLogIsKeptForAsLongAsItMustBeAndNotLonger",
        defect().advise("internal.wal.LogRetention", "duration", IsShort.class)),
    EXPIRED_LOG_FILES_STAY(defect().stub("internal.wal.KeptLogs", "deleteExpired")),
    WHAT_A_REPLAY_HAS_LEFT_OUT_IS_DELIVERED(
        defect().fix("internal.wal.LogTail", "bytesOfFile", Long.MAX_VALUE));

    private final String test;
    private final Defect defect;

    Wrong(Defect defect) {
      this(TEST, defect);
    }

    Wrong(String test, Defect defect) {
      this.test = test;
      this.defect = defect;
    }

    private static Defect defect() {
      return new Defect();
    }
  }

  /**
   * What is wrong with kinds of writes that a feed delivers, or with readers, and a seed with which
   * the model has found it soon.
   */
  private enum Mistaken {
    TAGS_AND_TIMES_TO_LIVE(1, delivered(LosesTags.class)),
    OPERANDS(1, "merges", delivered(TakesOperandsForValues.class)),
    THE_TYPES_OF_DELETE_MARKERS(1, delivered(DeletesColumns.class)),
    WHERE_DELETED_RANGES_END(1, delivered(DeletesToTheEnd.class)),
    THE_LOG_BEHIND_WHAT_A_READER_HAS_SEEN(
        1, new Defect().fix("internal.engine.Generations", "hasRecord", false)),
    SNAPSHOTS_OF_A_READER_BEFORE_ITS_REFRESH(
        1, new Defect().fix("internal.commit.ReadPoints", "isAnyHeld", false));

    private final long firstSeed;
    private final String hunt;
    private final Defect defect;

    Mistaken(long firstSeed, Defect defect) {
      this(firstSeed, "feeds", defect);
    }

    Mistaken(long firstSeed, String hunt, Defect defect) {
      this.firstSeed = firstSeed;
      this.hunt = hunt;
      this.defect = defect;
    }

    private static Defect delivered(Class<?> advice) {
      return new Defect().advise("internal.feed.LogChangeFeed", "add", advice);
    }
  }

  /** Returns the time that has certainly passed, which is long ago after an opening. */
  static final class SaysWhatIsSure {
    private SaysWhatIsSure() {}

    @Advice.OnMethodExit
    static void exit(
        @Advice.This DatabaseClock clock, @Advice.Return(readOnly = false) long millis) {
      millis = clock.droppingMillis();
    }
  }

  /** Keeps files for half the time. */
  static final class IsShort {
    private IsShort() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Return(readOnly = false) Duration duration) {
      duration = duration.dividedBy(2);
    }
  }

  /** Delivers cells without their tags. */
  static final class LosesTags {
    private LosesTags() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Argument(1) List<ChangedCell> cells) {
      for (int i = 0; i < cells.size(); i++) {
        Cell cell = cells.get(i).cell();
        cells.set(i, Altered.cell(cells.get(i), cell.type(), cell.value()));
      }
    }
  }

  /** Delivers operands as values. */
  static final class TakesOperandsForValues {
    private TakesOperandsForValues() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Argument(1) List<ChangedCell> cells) {
      for (int i = 0; i < cells.size(); i++) {
        Cell cell = cells.get(i).cell();
        if (cell.type() == CellType.MERGE) {
          cells.set(i, Altered.cell(cells.get(i), CellType.PUT, cell.value()));
        }
      }
    }
  }

  /** Delivers the deletion of a version as that of its column. */
  static final class DeletesColumns {
    private DeletesColumns() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Argument(1) List<ChangedCell> cells) {
      for (int i = 0; i < cells.size(); i++) {
        Cell cell = cells.get(i).cell();
        if (cell.type() == CellType.DELETE) {
          cells.set(i, Altered.cell(cells.get(i), CellType.DELETE_COLUMN, cell.value()));
        }
      }
    }
  }

  /** Delivers deleted ranges without their ends. */
  static final class DeletesToTheEnd {
    private DeletesToTheEnd() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Argument(1) List<ChangedCell> cells) {
      for (int i = 0; i < cells.size(); i++) {
        Cell cell = cells.get(i).cell();
        if (cell.type() == CellType.DELETE_RANGE) {
          cells.set(i, Altered.cell(cells.get(i), CellType.DELETE_RANGE, new byte[0]));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void byATest(Wrong wrong) throws ClassNotFoundException {
    assertThat(wrong.defect.failureOf(wrong.test))
        .isInstanceOfAny(
            AssertionError.class, ChangesLostException.class, CorruptionException.class);
  }

  @ParameterizedTest
  @EnumSource
  void byAModel(Mistaken mistaken) {
    DefectsAreFoundTest.assertFound(() -> mistaken.defect.hunt(mistaken.hunt, mistaken.firstSeed));
  }

  @Test
  void whereNothingIsWrongNothingIsFound(@TempDir Path folder) throws ClassNotFoundException {
    assertThat(new Defect().failureOf(TEST)).isNull();
    FeedHunt.run(1, folder);
  }
}
