// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner.Typing;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Defects that were found once, each put back on purpose: the test that was written for it must
 * fail, by an assertion. {@link DefectsAreFoundTest} has those that the tests of this package find.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class UndoneMendsAreFoundTest {
  /** What is wrong again, and the test that must notice. */
  private enum Undone {
    BOUNDS_ARE_CUT_TO_THE_LONGEST_ROW(
        "LongestRowsTest#keysAreScannedToTheLongest",
        defect().advise("internal.read.CellKey", "firstOfRow", CutsRows.class)),
    READERS_BESIDE_A_WRITER_TAKE_THE_LOG_AS_THEY_FIND_IT(
        "internal.engine.ReadOnlyBesideWriterTest"
            + "#nothingIsMissedThoughTheLogIsTruncatedAtAnyMoment",
        defect()
            .advise("internal.wal.KnownLogs", DefectsAreFoundTest.KnowsNoLogs.class)
            .stub("internal.wal.LinkedReplay", "begin")),
    A_LOG_FILE_HAS_BEGUN_BEFORE_THAT_IS_ON_THE_DEVICE(
        "internal.wal.WriteAheadLogCrashTest#whatIsReplayedIsAPrefixWithAllThatWasSynced",
        defect().stub("internal.wal.ClosedLogs", "forceCurrent")),
    A_LOSS_OF_POWER_THAT_TAKES_THE_FIRST_LINK_IS_DAMAGE(
        "internal.wal.WriteAheadLogCrashTest#whatIsReplayedIsAPrefixWithAllThatWasSynced",
        defect().fix("internal.wal.LogFile", "mayLack", false)),
    A_LOG_FILE_IS_KEPT_BEFORE_IT_IS_ON_THE_DEVICE(
        "internal.wal.KeptLogsTest#aFileIsKeptOnlyWhenItIsOnTheDevice",
        defect().fix("internal.wal.ClosedLogs$ClosedLog", "isForced", true)),
    A_PREPARED_LOG_FILE_COUNTS_AS_LOST(
        "internal.wal.PreparedLogTest#whatIsPreparedIsNoPartOfTheLog",
        defect().fix("internal.wal.LogFile", "isUnused", false)),
    A_SECOND_ATTEMPT_LOSES_THE_LOCK(
        "internal.storage.FolderLockTest#anAttemptOfThisProcessDoesNotLoseTheLock",
        defect()
            .fix("internal.storage.ClaimedNames", "claim", true)
            .advise("internal.storage.ClaimedNames", "keepOpen", ClosesFiles.class)
            .fix("internal.storage.LockOwner", "encode", "unknown")),
    THE_LOCK_FILE_DOES_NOT_NAME_ITS_OWNER(
        "internal.storage.FolderLockTest#aStrangerThatReadsTheLockFileDoesNotLoseTheLock",
        defect().fix("internal.storage.LockOwner", "encode", "unknown")),
    A_SEGMENT_IS_SEALED_BEFORE_THERE_IS_ANOTHER_ONE(
        "durability.AllocationFaultTest#everySiteThatReplacesASegment",
        defect()
            .fix("durability.AllocatingCalls", "deadlineSeconds", 2)
            .advise("memstore.SegmentFactory", "withNewActive", SealsEarly.class)
            .advise("memstore.SegmentFactory", "withSnapshot", SealsOldActive.class)
            .advise("memstore.segment.active.WriterGate", "enter", EndsWhenInterrupted.class)),
    A_VIEW_THAT_CANNOT_BE_TAKEN_HOLDS_MEMORY(
        "internal.region.StoreViewsTest#aViewThatCannotBeTakenHoldsNoMemory",
        defect().stub("memstore.MemStoreView", "close")),
    WHAT_A_FAILED_FLUSH_HAS_LEFT_COUNTS_AS_NOTHING(
        "internal.maintenance.SchedulersTest#whatAFailedFlushHasLeftIsFlushedWhenMemoryIsShort",
        defect().stub("internal.maintenance.FlushScheduler", "hasCells")),
    A_FLUSH_THAT_HAS_FAILED_IS_NEVER_TRIED_AGAIN(
        "internal.maintenance.SchedulersTest#whatAFailedFlushHasLeftIsFlushedAlsoIfNobodyWrites",
        defect().stub("internal.maintenance.FlushScheduler", "retryFailed")),
    THERE_MAY_BE_MORE_MEMORY_THAN_NUMBERS_OF_CHUNKS(
        "DatabaseOptionsTest#bounds", defect().stub("WriteSettings", "memoryBytes")),
    MEMORY_THAT_THE_PROCESS_CANNOT_HAVE_IS_PROMISED(
        "internal.engine.ProcessMemoryTest#memoryOutsideTheHeapIsBoundedByDirectMemory",
        defect().stub("internal.engine.ProcessMemory", "check")),
    A_FLUSH_WITHOUT_DIRECT_MEMORY_IS_NOT_REPEATED(
        "durability.ErrorsFailClosedTest#notInATableForWhichThereIsNoDirectMemoryAtFirst",
        defect().advise("internal.region.StoreFiles", "giveBackAfter", GivesNothingBack.class)),
    A_FLUSH_WITHOUT_A_THREAD_IS_NEVER_ASKED_FOR_AGAIN(
        "internal.maintenance.SchedulersTest#aFlushForWhichThereIsNoThreadIsAskedForAgain",
        defect().stub("internal.region.Store", "endFlushRequest")),
    A_LARGE_BATCH_WAITS_FOR_ROOM_THAT_NOBODY_MAKES(
        "internal.maintenance.SchedulersTest#memoryIsFlushedForABatchLargerThanWhatIsLeft",
        defect().stub("internal.maintenance.FlushScheduler", "makeRoom")),
    A_BATCH_MAY_BE_LARGER_THAN_THE_MEMORY(
        "WriteSizeTest#aBatchThatMemoryCannotHold",
        defect().fix("DatabaseOptions", "batchBytesMax", 192 << 20)),
    A_VALUE_IS_NOT_CHECKED_BEFORE_ITS_BATCH(
        "WriteSizeTest#aPutOfOneValueBeyondTheLargestCell",
        defect().fix("DatabaseOptions", "valueBytesMax", Integer.MAX_VALUE)),
    FILES_ARE_WRITTEN_WITH_TIMES_THAT_NO_PUT_TAKES(
        "BulkLoadTest#writerRefusesTimestampsThatNoCellCanHave",
        defect().stub("CellLimits", "checkTimestamp")),
    FILES_ARE_INGESTED_WITH_CELLS_THAT_NO_PUT_TAKES(
        "BulkLoadTest#filesWithCellsThatAPutRefusesAreRefusedWhole",
        defect().stub("internal.transfer.ForeignCells", "checkFitness")),
    AN_INGEST_SUCCEEDS_THOUGH_NOBODY_WILL_SEE_IT(
        "internal.commit.CommitPipelineTest#aWriteBesideTheLogThatNobodyWillSeeIsReported",
        defect().advise("internal.commit.Visibility", "finish", Succeeds.class)),
    A_STAGE_COMPLETES_THOUGH_ITS_WRITE_WAS_LOST(
        "durability.AsyncWritesTest#aFailureOfTheLogFailsAllInFlightAndNothingThatHasCompleted",
        defect().fix("internal.commit.CommitPipeline", "isVisible", true)),
    ASYNCHRONOUS_WRITES_HAVE_NO_BOUND(
        "durability.AsyncWritesTest#beyondTheBytesInFlightTheCallWaits",
        defect().fix("internal.commit.AsyncCommits", "mustWait", false)),
    CLOSING_WAITS_FOR_NO_THREAD(
        "internal.maintenance.BackgroundThreadsTest#closingWaitsForThePeriodicTaskThatIsRunning",
        defect().advise("internal.maintenance.BackgroundThreads", "end", WaitsForNothing.class)),
    A_COMPACTION_LEAVES_OUT_WHAT_LIES_BETWEEN_ITS_INPUTS(
        "internal.compaction.LeveledPickerTest#filesBetweenTheInputsAreMergedWithThem",
        defect().advise("internal.compaction.RowRange", "with", ReturnsItself.class)),
    A_CHANGE_OF_REGIONS_WITHOUT_A_THREAD_IS_THE_LAST(
        "internal.maintenance.SchedulersTest#aChangeOfRegionsForWhichThereIsNoThreadIsTriedAgain",
        defect().advise("internal.maintenance.RegionBalancer", "balance", StaysBusy.class)),
    INGESTING_CREATES_THE_FOLDERS_OF_A_MISSING_FILE(
        "BulkLoadTest#aFileThatIsMissingIsNamedAndNoFolderIsCreated",
        defect().advise("internal.engine.DatabaseEngine", "ingest", CreatesFolders.class)),
    EACH_SORTED_TABLE_IS_AN_OPEN_FILE(
        "OpenFilesTest#manyTablesNeedFewOpenFiles",
        defect().fix("internal.engine.OpenFilesLimit", "test", false)),
    SCANNERS_KEEP_FILES_OPEN_BEYOND_THE_DATABASE(
        "OpenFilesTest#closingReleasesTheFilesOfScannersThatWereLeftOpen",
        defect().stub("internal.region.StoreFiles", "close")),
    FILES_THAT_SHOW_NO_ROW_ARE_SEARCHED_WITH_OTHERS(
        "internal.region.FileSetTest#aFileWhoseRowsEndBeforeItsPartBeginsHidesNoOther",
        defect().fix("internal.region.StoreFile", "showsNoRow", false)),
    A_CLOCK_THAT_JUMPS_IS_BELIEVED_AT_ONCE(
        "durability.ClockJumpTest#readsWhileTheClockIsAheadExpireNothingForGood",
        defect().advise("internal.clock.JumpGuard", "checked", BelievesTheClock.class)),
    A_CRASH_FORGETS_TIMESTAMPS(
        "durability.ClockJumpTest#afterACrashAClockThatWasSetBackDatesNoWriteBelowEarlierOnes",
        defect().stub("internal.clock.DatabaseClock", "raiseFloor")),
    A_KILL_GIVES_NUMBERS_OF_UNLOGGED_WRITES_OUT_AGAIN(
        "durability.SequenceNumbersTest#aKillDoesNotGiveOutTheNumbersOfUnloggedWritesAgain",
        defect().fix("internal.commit.LogNote", "reservedBy", 0L)),
    A_REPAIR_COUNTS_OPERANDS_OF_MERGED_FILES_TWICE(
        "durability.RepairWithoutManifestTest#operandsInAFileThatACopyHoldsCountOnce",
        defect().stub("internal.repair.MergedFiles", "hideInputsOf")),
    A_REPAIR_COUNTS_OPERANDS_OF_AN_UNFINISHED_COMPACTION_TWICE(
        "durability.RepairWithoutManifestTest"
            + "#operandsCountOnceWhereverACrashEndsALeveledCompaction",
        defect().stub("internal.repair.MergedFiles", "hidePart")),
    THE_LOG_IS_MAPPED_ON_EVERY_FILE_SYSTEM(
        "internal.storage.MappedFileTest#filesAreMappedWhereTheyAreOverwrittenInPlace",
        defect().fix("internal.storage.MappingSupport", "isGiven", true)),
    AN_OVERTAKEN_WRITE_KEEPS_ITS_TIME(
        "durability.WriteOrderTest#aPutIsNotHiddenByAnIncrement",
        defect().advise("internal.commit.Batch", "postponedTo", ReturnsItself.class)),
    A_FEED_DOES_NOT_KNOW_REGIONS_THAT_WERE_SPLIT(
        "feed.RetainedLogTest#aRegionThatWasSplitKeepsItsNameAcrossARestart",
        defect().stub("internal.manifest.RegionNames", "tableOf")),
    TABLES_THAT_THE_MANIFEST_COULD_NOT_RECORD_STAY(
        "durability.UnrecordedFilesTest#aCompactionThatTheManifestCannotRecordLeavesNoFile",
        defect().stub("internal.region.StoreFiles", "deleteGivenUp")),
    A_FAILED_FORCE_OF_THE_LOG_IS_NOT_NOTED(
        "durability.FailedForceTest#inAWriteToTheLog",
        defect().stub("internal.wal.LogForcing", "note")),
    A_FAILED_FORCE_OF_AN_OPENING_IS_NOT_NOTED(
        "durability.FailedForceTest#inTheNextOpening",
        // As if the note were there.
        defect().fix("internal.wal.LogForcing", "note", true)),
    A_FAILED_FORCE_THAT_COULD_NOT_BE_NOTED_IS_FORGOTTEN(
        "durability.FailedForceTest#inAWriteToTheLogThatClosingCouldNotNoteEither",
        defect().fix("internal.wal.LogForcing", "noteOwed", true)),
    A_LOG_THAT_COULD_NOT_BE_FORCED_IS_BELIEVED(
        "durability.FailedForceTest#inAWriteToTheLog",
        defect().stub("internal.wal.LogForcing", "replaceUnforced")),
    A_LISTENER_THAT_FAILS_HIDES_A_COMMIT(
        "internal.manifest.ManifestTest"
            + "#aListenerThatFailsNeitherHidesACommitNorKeepsItFromOthers",
        defect().advise("internal.manifest.CommitListeners", "notifyOf", NotifiesUnguarded.class)),
    WHO_CLOSES_SECOND_DOES_NOT_WAIT(
        "internal.engine.CloseBesideWorkTest#allWhoCloseWaitForTheEnd",
        defect().stub("internal.table.OpenTables", "awaitEnd")),
    A_VALUE_THAT_IS_DATED_AHEAD_HIDES_THOSE_THAT_REPLACE_IT(
        "KeyValueStoreTest#aConditionalWriteReplacesAlsoAValueThatIsDatedAhead",
        defect().fix("internal.table.KeyValueTable", "merges", true)),
    A_CLOSED_DATABASE_KEEPS_ITS_MEMORY(
        "MemoryAfterCloseTest#anApplicationMayKeepAStoreOfAClosedDatabase",
        defect()
            .stub("internal.engine.EngineShutdown", "freeMemory")
            .fix("MemoryAfterCloseTest", "collectionsMax", 8)),
    A_WRITE_OF_A_TRANSACTION_EXPIRES_BEFORE_THE_COMMIT(
        "transaction.TransactionTest#aWriteWithoutATimestampDoesNotExpireBeforeTheCommit",
        defect().fix("internal.read.PendingCells", "isUndated", false)),
    A_SCAN_STANDS_ON_WHAT_WAS_ROLLED_BACK(
        "transaction.TransactionTest#aScanDoesNotReturnWhatWasRolledBackAheadOfIt",
        defect().stub("internal.table.RowScanner", "leaveTruncated")),
    A_DELETED_RANGE_CONFLICTS_WITH_NO_ROW(
        "internal.commit.CommitPipelineTest"
            + "#aConditionalWriteIsRefusedIfItsRowWasDeletedWithARangeMeanwhile",
        defect().fix("internal.commit.LastRanges", "isCoveredAfter", false));

    final String test;
    final Defect defect;

    Undone(String test, Defect defect) {
      this.test = test;
      this.defect = defect;
    }
  }

  private static Defect defect() {
    return new Defect();
  }

  @ParameterizedTest
  @EnumSource
  void byTheTestThatWasWrittenForIt(Undone undone) throws ClassNotFoundException {
    assertThat(undone.defect.failureOf(undone.test)).isInstanceOf(AssertionError.class);
  }

  /** Else the tests would fail for how they are run, not for what is undone. */
  @ParameterizedTest
  @EnumSource
  @Tag("long")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void whereNothingIsUndoneItPasses(Undone undone) throws ClassNotFoundException {
    assertThat(new Defect().failureOf(undone.test)).isNull();
  }

  /** Takes a bound that is longer than any row for the longest row that it begins with. */
  static final class CutsRows {
    private CutsRows() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(value = 0, readOnly = false) byte[] row) {
      if (row.length > Short.MAX_VALUE) {
        row = Arrays.copyOf(row, Short.MAX_VALUE);
      }
    }
  }

  /** Closes a file that must stay open. */
  static final class ClosesFiles {
    private ClosesFiles() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter(@Advice.Argument(1) Closeable file) throws IOException {
      file.close();
      return true;
    }
  }

  /** Seals active segments before the list without them is made, which may fail. */
  static final class SealsOldActive {
    private SealsOldActive() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(0) Object old) throws ReflectiveOperationException {
      // Code of the class that it is planted in, which may call what its package may.
      Object active = old.getClass().getDeclaredMethod("active").invoke(old);
      Class<?> type =
          Class.forName(
              "io.accordiondb.memstore.segment.MutableSegment",
              false,
              active.getClass().getClassLoader());
      if ((long) type.getMethod("cellCount").invoke(active) > 0) {
        type.getMethod("seal").invoke(active);
      }
    }
  }

  static final class SealsEarly {
    private SealsEarly() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(1) List<?> pipeline) throws ReflectiveOperationException {
      // Without iterators, which would be allocations that only the defect makes.
      for (int i = 0; i < pipeline.size(); i++) {
        Object segment = pipeline.get(i);
        // The module does not export it.
        Class<?> type =
            Class.forName(
                "io.accordiondb.memstore.segment.MutableSegment",
                false,
                segment.getClass().getClassLoader());
        if (type.isInstance(segment)) {
          type.getMethod("seal").invoke(segment);
        }
      }
    }
  }

  /** Makes a writer that never stops trying end, so that it takes no time from later tests. */
  static final class EndsWhenInterrupted {
    private EndsWhenInterrupted() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Return boolean entered) {
      if (!entered && Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("the writer was interrupted");
      }
    }
  }

  /** Lets a listener end the notification of the others, and of the caller. */
  static final class NotifiesUnguarded {
    private NotifiesUnguarded() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter(
        @Advice.Argument(0) Object edits, @Advice.FieldValue("listeners") List<?> listeners) {
      for (int i = 0; i < listeners.size(); i++) {
        @SuppressWarnings("unchecked")
        Consumer<Object> listener = (Consumer<Object>) listeners.get(i);
        listener.accept(edits);
      }
      return true;
    }
  }

  /** Takes no notice of a write that will never be visible. */
  static final class Succeeds {
    private Succeeds() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Return(readOnly = false) boolean visible) {
      visible = true;
    }
  }

  /** Leaves an error to the caller, as if other memory could not help. */
  static final class GivesNothingBack {
    private GivesNothingBack() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(0) OutOfMemoryError error) {
      throw error;
    }
  }

  /** Tells threads to end, and does not wait until they have. */
  static final class WaitsForNothing {
    private WaitsForNothing() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter(@Advice.Argument(0) ExecutorService executor) {
      executor.shutdown();
      return true;
    }
  }

  /** Makes a method return the object that it is called on. */
  static final class ReturnsItself {
    private ReturnsItself() {}

    @Advice.OnMethodExit
    static void exit(
        @Advice.This Object itself,
        @Advice.Return(readOnly = false, typing = Typing.DYNAMIC) Object returned) {
      returned = itself;
    }
  }

  /** Leaves a balancer busy with what could not be begun. */
  static final class StaysBusy {
    private StaysBusy() {}

    @Advice.OnMethodExit(onThrowable = Throwable.class)
    static void exit(
        @Advice.FieldValue("busy") AtomicBoolean busy, @Advice.Thrown Throwable thrown) {
      if (thrown != null) {
        busy.set(true);
      }
    }
  }

  /** Creates the folder of each file, as access to it by its folder did. */
  static final class CreatesFolders {
    private CreatesFolders() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(2) List<Path> files) throws IOException {
      for (Path file : files) {
        Files.createDirectories(file.toAbsolutePath().getParent());
      }
    }
  }

  /** Makes it the time that the clock says. */
  static final class BelievesTheClock {
    private BelievesTheClock() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Argument(0) long now, @Advice.Return(readOnly = false) long believed) {
      believed = now;
    }
  }
}
