// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.accordiondb.internal.failure.FirstFailure;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.memstore.FlushSnapshot;
import io.accordiondb.memstore.MemStore;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import net.bytebuddy.asm.Advice;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Defects put in on purpose, of the kinds that stores are known for, each of which the tests of
 * this package must find: a test that finds none of them may find nothing at all.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class DefectsAreFoundTest {
  private static final long SLOW_MILLIS = 2_000;

  /** Something that the database forgets to tell the disk, and how it comes to light. */
  private enum Forgotten {
    SYNC_OF_LOG_DIRECTORY(DefectiveStorage.without("syncDirectory", "wal")),
    SYNC_OF_TABLE_DIRECTORY(DefectiveStorage.without("syncDirectory", "sst")),
    SYNC_OF_FOLDER(DefectiveStorage.without("syncDirectory", "")),
    SYNC_OF_LOG_BEFORE_ACKNOWLEDGEMENT(DefectiveStorage.without("sync", "wal/.*")),
    SYNC_OF_TABLE_BEFORE_ITS_RECORD(DefectiveStorage.without("sync", "sst/.*")),
    SYNC_OF_MANIFEST(DefectiveStorage.without("sync", "MANIFEST-.*")),
    SYNC_OF_DATA_BEFORE_RENAME(DefectiveStorage.without("sync", "CURRENT.tmp")),
    RENAME(DefectiveStorage.without("rename", ".*"));

    final UnaryOperator<Storage> between;

    Forgotten(UnaryOperator<Storage> between) {
      this.between = between;
    }
  }

  @ParameterizedTest
  @EnumSource
  void byCrashes(Forgotten forgotten) {
    assertFound(() -> Hunt.crashes(1, forgotten.between));
  }

  @ParameterizedTest
  @ValueSource(strings = {"append", "sync", "rename"})
  void byErrorsThatNobodyHears(String operation) {
    Operation deaf = Operation.valueOf(operation.toUpperCase(Locale.ROOT));
    assertFound(() -> Hunt.errors(2, DefectiveStorage.deafTo(operation), deaf));
  }

  /** A method that does something else, and the tests that must notice. */
  private enum Wrong {
    FLUSH_IS_RECORDED_BEFORE_THE_LOG_IS_SYNCED(
        "crashes", 13, defect().stub("internal.commit.CommitPipeline", "syncLog")),
    FLUSH_IS_RECORDED_BEFORE_THE_LOG_HAS_BEEN_SYNCED(
        "crashes", 4, defect().stub("internal.region.LogSync", "await")),
    FULL_LOG_FILES_ARE_NEVER_SYNCED(
        "crashes", 7, defect().stub("internal.wal.ClosedLogs", "syncClosed")),
    A_FLUSH_TAKES_ONLY_WHAT_A_FAILED_ONE_LEFT(
        "regionChanges", 1, defect().fix("memstore.MemStore", "hasSnapshot", false)),
    A_SPLIT_DROPS_MEMORY_THAT_IS_NOT_FLUSHED(
        "regionChanges", 1, defect().stub("internal.region.Flusher", "empty")),
    LOG_IS_TRUNCATED_WHILE_MEMORY_NEEDS_IT(
        "crashes", 5, defect().fix("memstore.MemStore", "oldestSequence", Long.MAX_VALUE)),
    LOG_IS_TRUNCATED_BECAUSE_OF_AN_UNLOGGED_WRITE(
        "unlogged", defect().stub("memstore.MemStore", "holdOldestSequence")),
    LOG_IS_TRUNCATED_BEFORE_LATER_WRITES_ARE_DURABLE(
        "displaced", defect().stub("internal.maintenance.LogTruncation", "forceWhatDisplaced")),
    LOG_FILES_ARE_DELETED_THAT_THE_MANIFEST_NAMES(
        "crashes", 3, defect().stub("internal.folder.ManifestLogRegister", "remove")),
    HOLES_BETWEEN_LOG_FILES_ARE_OVERLOOKED(
        "files", defect().stub("internal.wal.LinkedReplay", "lossBefore")),
    THE_MANIFEST_KNOWS_NO_LOG_FILES(
        "files", defect().advise("internal.wal.KnownLogs", KnowsNoLogs.class)),
    THE_LOG_IS_NOT_ASKED_ABOUT_THE_MANIFEST(
        "files", defect().stub("internal.wal.LogWitness", "check")),
    NO_LINK_SAYS_THAT_FULL_LOG_FILES_ARE_ON_THE_DEVICE(
        "files", defect().fix("internal.wal.ClosedLogs", "durableNumber", 0L)),
    WRITES_GO_ON_AFTER_A_FAILURE_OF_THE_LOG("errors", 6, noFailuresOfTheLog()),
    ERRORS_OF_THE_LOG_ARE_NO_FAILURES("storms", 1, noFailuresOfTheLog()),
    ERRORS_OF_THE_MANIFEST_ARE_NO_FAILURES(
        "storms", 91, defect().stub("internal.manifest.Manifest", "failure")),
    DAMAGE_IN_THE_MIDDLE_COUNTS_AS_TORN(
        "bytesOfLogs", defect().fix("internal.record.RecordReader", "soundRecordFrom", -1L)),
    CHECKSUMS_OF_BLOCKS_ARE_CONSTANT(
        "bytesOfTables", defect().fix("internal.sstable.SortedTableFormat", "maskedCrc", 0)),
    A_MERGE_DROPS_WHAT_A_SNAPSHOT_NEEDS(
        "retention", 1, defect().fix("retention.ReadPointSet", "smallest", Long.MAX_VALUE)),
    A_MERGE_DROPS_WHAT_ONE_OF_TWO_SNAPSHOTS_NEEDS(
        "retention", 87, defect().fix("retention.ReadPointSet", "isAnyBetween", false)),
    EVERY_COMPACTION_DROPS_DELETE_MARKERS(
        "retention", 66, defect().fix("retention.UnseenHistory", "oldest", Long.MAX_VALUE)),
    A_COMPACTION_OVERLOOKS_MARKERS_IN_MEMORY(
        "retention", 115, defect().stub("retention.UnseenHistory", "addNewer")),
    A_COMPACTION_OVERLOOKS_RANGE_TOMBSTONES_IN_MEMORY(
        "retention", 66, defect().stub("retention.UnseenHistory", "addRanges")),
    RANGE_TOMBSTONES_GO_BEFORE_WHAT_THEY_DELETE(
        "retention", 51, defect().fix("internal.region.StoreFile", "hasOlderCells", false)),
    LOG_IS_TRUNCATED_THOUGH_RANGE_TOMBSTONES_ARE_IN_MEMORY(
        "rangesInTheLog", defect().fix("retention.RangeTombstones", "minSequence", Long.MAX_VALUE)),
    OPERANDS_ARE_COMBINED_ACROSS_A_READ_POINT(
        "merges", 2, defect().fix("retention.ReadPointSet", "smallest", Long.MAX_VALUE)),
    OPERANDS_ARE_COMBINED_ACROSS_THE_SECOND_READ_POINT(
        "merges", 5, defect().fix("retention.ReadPointSet", "isAnyBetween", false)),
    OPERANDS_ARE_COMBINED_ACROSS_WHAT_IS_NOT_SEEN(
        "merges", 31, defect().fix("retention.UnseenHistory", "clearAbove", 0L)),
    OPERANDS_BECOME_A_VALUE_ALTHOUGH_OLDER_CELLS_ARE_NOT_SEEN(
        "merges", 1, defect().fix("retention.UnseenHistory", "oldest", Long.MAX_VALUE)),
    THE_LOG_OF_COMBINED_OPERANDS_IS_TRUNCATED(
        "merges",
        22,
        defect().advise("memstore.segment.SegmentStats", "withMinSequence", ForgetsTheLog.class)),
    AN_OPERAND_IS_LOST_WHEN_MANY_ARE_COMBINED(
        "merges", 1, defect().advise("merge.AppendMerge", "combine", ForgetsAnOperand.class)),
    SHORTCUTS_DO_NOT_LOOK_AT_TIMES_TO_LIVE(
        "expiry", 1, defect().fix("encoding.CellTags", "hasTtl", false)),
    SORTED_TABLES_DO_NOT_SAY_THAT_CELLS_EXPIRE(
        "expiry", 1, defect().advise("internal.sstable.PropertiesCollector", "add", Lasts.class)),
    WHAT_EXPIRES_BRINGS_BACK_WHAT_IT_HAD_HIDDEN(
        "expiry", 1, defect().fix("retention.UnseenHistory", "oldest", Long.MAX_VALUE)),
    WHAT_COMES_TO_LIGHT_LATER_IS_DROPPED(
        "expiry", 1, defect().advise("retention.RetentionFilter", "keepsExpiring", Forgets.class)),
    A_COMPACTION_OVERLOOKS_CELLS_THAT_EXPIRE_ELSEWHERE(
        "expiry", 1, defect().fix("retention.UnseenHistory", "mayHide", false)),
    READERS_DO_NOT_ASK_THE_FILTER(
        "expiry", 1, defect().stub("internal.expiry.FamilyFilter", "forReads")),
    TIMES_TO_LIVE_ARE_LOST_IN_FILES(
        "expiry", 1, defect().advise("internal.sstable.CellBlockBuilder", "add", Untagged.class)),
    POINT_READS_DO_NOT_SKIP_TAGS(
        "expiry",
        1,
        defect().advise("internal.sstable.CellBlockSearch", "behindTags", Stays.class)),
    THE_CACHE_RETURNS_BLOCKS_OF_OTHER_FILES(
        "options", 5, defect().fix("internal.cache.CachedBlock", "isOf", true)),
    THE_CACHE_LEAVES_BLOCKS_WHERE_OTHERS_GO(
        "cache", 1, defect().advise("internal.cache.CachedBlock", "moveTo", Leaves.class)),
    BLOCKS_GO_ALTHOUGH_THEY_ARE_PINNED(
        "cache", 1, defect().fix("internal.cache.CachedBlock", "tryClose", true)),
    A_BLOCK_IS_READ_WITHOUT_ITS_PIN(
        "cache",
        1,
        defect()
            .advise("internal.cache.CachedBlock", "tryPin", Unpins.class)
            .stub("internal.cache.CachedBlock", "unpin")),
    A_COPY_OF_A_BLOCK_THAT_HAS_GONE_IS_TAKEN(
        "cacheInThreads", defect().fix("internal.cache.CachedBlock", "isStill", true)),
    PINS_ARE_NEVER_GIVEN_BACK("cache", 1, defect().stub("internal.cache.CachedBlock", "unpin")),
    A_READER_LEAKS_ITS_PIN("pins", defect().stub("internal.sstable.ReadScratch", "unpin")),
    COLUMNS_OF_OTHER_FILES_ARE_READ(
        "columns", 1, defect().advise("internal.read.ColumnRing", "read", OfOneSet.class)),
    A_BLOCK_THAT_COULD_NOT_BE_FILLED_IS_READ(
        "cache", 1, defect().advise("internal.cache.CachedBlock", "abandon", OpensItself.class)),
    THE_CACHE_TAKES_MORE_THAN_ITS_BUDGET(
        "cache", 1, defect().fix("internal.cache.Slab", "chargedBytes", 0L)),
    FILTERS_DENY_WHAT_IS_THERE(
        "options", 1, defect().fix("internal.sstable.BloomFilter", "mayContain", false)),
    A_WALK_DOWNWARDS_TAKES_EACH_CELL_OF_MEMORY_FOR_A_ROW(
        "options", 3, defect().fix("memstore.segment.flat.FlatCursor", "startsRow", true)),
    A_WALK_DOWNWARDS_TAKES_EACH_CELL_OF_A_TABLE_FOR_A_ROW(
        "options",
        1,
        defect().advise("internal.sstable.DecodedKeys", "startsRow", AnyButTheFirst.class)),
    A_MERGE_IN_A_LULL_DROPS_WHAT_IS_NOT_FLUSHED(
        "expiry", 1, defect().advise("memstore.MemStore", "mergePipeline", Drops.class)),
    A_MERGE_IN_A_LULL_DROPS_OPERANDS(
        "merges", 1, defect().advise("memstore.MemStore", "mergePipeline", Drops.class)),
    OPERANDS_OF_A_TRANSACTION_EXPIRE_BEFORE_ITS_COMMIT(
        "merges", 3, defect().fix("internal.read.PendingCells", "isUndated", false)),
    A_SCAN_RETURNS_WHAT_WAS_ROLLED_BACK_AHEAD_OF_IT(
        "transactions", 1, defect().stub("internal.table.RowScanner", "leaveTruncated")),
    DELETE_MARKERS_HIDE_NOTHING(
        "crashes", 7, defect().fix("retention.DeleteTracker", "hides", false)),
    CHUNKS_ARE_FREED_UNDER_A_SCANNER(
        "options", 1, defect().fix("memstore.SegmentList", "tryRetain", true)),
    A_PIPELINE_CHANGE_UNDOES_THE_ONE_BEFORE(
        "options", 7, defect().advise("memstore.SegmentList", ForgetsTheNewest.class));

    final String hunt;
    final @Nullable Long firstSeed;
    final Defect defect;

    Wrong(String hunt, Defect defect) {
      this.hunt = hunt;
      this.firstSeed = null;
      this.defect = defect;
    }

    /**
     * Creates a defect that random tests find.
     *
     * @param firstSeed one with which they have found it soon; they go on with the next
     */
    Wrong(String hunt, long firstSeed, Defect defect) {
      this.hunt = hunt;
      this.firstSeed = firstSeed;
      this.defect = defect;
    }

    void hunt() throws Throwable {
      if (firstSeed == null) {
        defect.hunt(hunt);
      } else {
        defect.hunt(hunt, firstSeed);
      }
    }
  }

  private static Defect defect() {
    return new Defect();
  }

  private static Defect noFailuresOfTheLog() {
    return defect()
        .stub("internal.commit.FailureState", "fail")
        .advise("internal.wal.WriteAheadLog", "failed", NotesNoFailure.class)
        .stub("internal.failure.FirstFailure", "recordPermanent")
        .stub("internal.record.RecordWriter", "checkAlive");
  }

  /** Throws a failure of the log that nobody will remember. */
  static final class NotesNoFailure {
    private NotesNoFailure() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(0) Throwable failure) throws IOException {
      throw FirstFailure.checked(failure);
    }
  }

  /** Makes the log consist of the files that happen to be there. */
  static final class KnowsNoLogs {
    private KnowsNoLogs() {}

    @Advice.OnMethodEnter
    static void enter(
        @Advice.Argument(value = 0, readOnly = false) List<?> files,
        @Advice.Argument(value = 1, readOnly = false) long highest) {
      files = List.of();
      highest = 0;
    }
  }

  /** Makes a compaction in memory say that combined operands are as new as the newest of them. */
  static final class ForgetsTheLog {
    private ForgetsTheLog() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(value = 0, readOnly = false) long other) {
      other = Long.MAX_VALUE;
    }
  }

  /** Leaves the oldest of several operands out. */
  static final class ForgetsAnOperand {
    private ForgetsAnOperand() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(value = 0, readOnly = false) List<?> operands) {
      operands = operands.subList(1, operands.size());
    }
  }

  /** Has the properties of a sorted table say that no cell expires. */
  static final class Lasts {
    private Lasts() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(value = 2, readOnly = false) boolean expires) {
      expires = false;
    }
  }

  /** Makes a reader believe that it has pinned a block. */
  static final class Unpins {
    private Unpins() {}

    @Advice.OnMethodExit
    static void exit(
        @Advice.Return boolean pinned,
        @Advice.FieldValue(value = "pins", readOnly = false) int pins) {
      pins -= pinned ? 1 : 0;
    }
  }

  /** Says that a block has moved, and leaves its bytes. */
  static final class Leaves {
    private Leaves() {}

    @Advice.OnMethodEnter
    static void enter(
        @Advice.Argument(0) int newStart,
        @Advice.FieldValue(value = "start", readOnly = false) int start) {
      start = newStart;
    }
  }

  /** Takes one set of sorted tables for another. */
  static final class OfOneSet {
    private OfOneSet() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(value = 1, readOnly = false) long set) {
      set = 1;
    }
  }

  /** Opens a block, whatever it holds. */
  static final class OpensItself {
    private OpensItself() {}

    @Advice.OnMethodExit
    static void exit(@Advice.FieldValue(value = "pins", readOnly = false) int pins) {
      pins = 0;
    }
  }

  /** Makes a compaction forget that a put will expire. */
  static final class Forgets {
    private Forgets() {}

    @Advice.OnMethodExit
    static void exit(@Advice.FieldValue(value = "expiringFrom", readOnly = false) long from) {
      from = Long.MAX_VALUE;
    }
  }

  /** Reads the sequence number of a cell where its tags begin. */
  static final class Stays {
    private Stays() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Argument(0) int at, @Advice.Return(readOnly = false) int behind) {
      behind = at;
    }
  }

  /** Leaves the tags of a cell out of a block. */
  static final class Untagged {
    private Untagged() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(value = 2, readOnly = false) int tagsBytes) {
      tagsBytes = 0;
    }
  }

  /** Takes the segments that a lull merges for flushed to the disk. */
  static final class Drops {
    private Drops() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.This MemStore store) {
      if (store.statistics().pipelineSegments() > 0) {
        FlushSnapshot unused = store.snapshot();
        store.clearSnapshot();
      }
    }
  }

  /** Makes a pipeline that was longer for a moment, as a lost update would. */
  static final class ForgetsTheNewest {
    private ForgetsTheNewest() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(value = 1, readOnly = false) List<?> pipeline) {
      if (pipeline.size() > 2) {
        pipeline = pipeline.subList(1, pipeline.size());
      }
    }
  }

  /** Takes each decoded key that has one before it for the first of its row. */
  static final class AnyButTheFirst {
    private AnyButTheFirst() {}

    @Advice.OnMethodExit
    static void exit(
        @Advice.Argument(0) int index, @Advice.Return(readOnly = false) boolean starts) {
      starts = index > 0;
    }
  }

  @ParameterizedTest
  @EnumSource
  void byTheTestThatIsMadeForIt(Wrong wrong) {
    assertFound(wrong::hunt);
  }

  /** Asserts that a hunt fails because of what is planted, and not because nothing could be. */
  static void assertFound(ThrowingCallable hunt) {
    long begun = System.nanoTime();
    Throwable found = catchThrowable(hunt);
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    assertThat(found).isNotNull();
    Throwable root = found;
    for (Throwable cause = found; cause != null; cause = cause.getCause()) {
      // Not a failure to plant it, such as a class that cannot be changed or loaded.
      assertThat(cause).isNotInstanceOf(LinkageError.class);
      assertThat(cause.getStackTrace())
          .noneMatch(frame -> frame.getClassName().startsWith("net.bytebuddy"));
      root = cause;
    }
    // Not a timeout, nor an error in code that the defect has broken. But the store may refuse what
    // it finds where it must not be, such as a range tombstone among cells.
    assertThat(root)
        .isInstanceOfAny(
            AssertionError.class,
            IOException.class,
            IllegalStateException.class,
            IllegalArgumentException.class);
    if (millis > SLOW_MILLIS) {
      // With another first seed it may be found sooner.
      System.out.printf("found after %,d ms: %.200s%n", millis, found);
    }
  }

  @Test
  void whereNothingIsWrongNothingIsFound() throws Throwable {
    new CrashRun(1, DefectiveStorage.with((operation, name, original) -> original.run())).run(1);
    new Defect().hunt("unlogged");
  }
}
