// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.durability.AllocationFaults.Fault;
import io.accordiondb.internal.manifest.RegionNamesRun;
import io.accordiondb.internal.read.ColumnCacheRun;
import io.accordiondb.internal.wal.PreparedLogRun;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Small pieces of work, in each of which the process runs out of memory at one place after another
 * of the code that matters to it. {@link AllocationFaultTest} does the same with whole databases.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class AllocationSitesTest {
  /** Where a writer waits whose batch is in the queue. */
  private static final String WAITING =
      "io/accordiondb/internal/commit/(GroupCommit.awaitLead|Locks.takeWhateverFails):.*";

  /** Where a folder is locked and unlocked. */
  private static final String LOCKING =
      "io/accordiondb/internal/storage/"
          + "(FileStorage.(lock|permissions)|FileStorage.Lock.(<init>|close)"
          + "|FolderLock.(acquire|create|identityOf|lockedFile|lock|name|read|attributesOf|<init>)"
          + "|FolderLock.(close|release)|ClaimedNames.(propertyOf|release)|ThreadsAhead.<init>):.*";

  /** Where a read-modify-write locks its rows. */
  private static final String LOCKING_ROWS =
      "io/accordiondb/internal/table/RowLocks(.Claim)?.(lock|stripesOf):.*";

  /** Where a log file is prepared, begins, and is noted to have begun. */
  private static final String PREPARING =
      "io/accordiondb/internal/wal/"
          + "(LogFileCreator.(prepare|createAhead|beginPrepared|confirm|force)[A-Za-z]*"
          + "|WriteAheadLog.upkeep|ClosedLogs.syncClosed):.*";

  /** Where a log file that was not prepared begins. */
  private static final String BEGINNING =
      "io/accordiondb/internal/wal/(LogFileCreator.beginAtOnce|LogFileWriter.known):.*";

  /** Where the names of regions are stored. */
  private static final String NAMING =
      "io/accordiondb/internal/(manifest/RegionNames.save|record/RecordWriter.<init>):.*";

  /** Where a read makes the index of a cache. */
  private static final String CACHING =
      "io/accordiondb/internal/read/(ColumnCache.firstRing|ColumnRing.<init>):.*";

  /** Where a scan makes what it needs to read blocks, merge cells, and judge versions. */
  private static final String SCANNING =
      "io/accordiondb/(internal/sstable/(CellBlockCursor|DecodedKeys|SortedTableCursor)"
          + "|retention/(ColumnPosition|DeleteTracker)"
          + "|memstore/segment/merge/PrefetchingMergeCursor)\\b.*";

  private static final int HITS_OF_A_SCAN = 2;

  /** Where a flush replaces memory by a file. */
  private static final String INSTALLING =
      "io/accordiondb/(internal/region/(FileSet|Store|StoreFile|StoreViews)"
          + "|memstore/(MemStore|SegmentList))\\b.*";

  private static final int HITS_OF_A_FLUSH = 3;

  private static final int HITS_OF_A_REFUSED_WRITE = 4;

  /** Where readers open what they read. */
  private static final String READING =
      "io/accordiondb/(Query|encoding/MergingCursor|memstore/MemStoreView"
          + "|memstore/segment/merge/PrefetchingMergeCursor|retention/VisibilityFilter"
          + "|internal/(commit/ReadPoints|metrics/(Leaks|Tallies|Tally)"
          + "|read/(CellKey|FamilyCursors|FamilyReader|LiveCells|PendingView|RegionReader|RowRange"
          + "|SnapshotCursor|StoreView)"
          + "|region/(LevelSource|Store|StoreFile|StoreViews)"
          + "|sstable/(IndexCursor|LookupKey|ReadAhead|SortedTable|SortedTableCursor)"
          + "|table/(EngineSnapshot|OpenCursor|RowBounds|RowScanner|TableHandle|TableReader"
          + "|TableScanner)"
          + "|transaction/(EngineTransaction|ReadSet|RowRangeRead|TransactionReads"
          + "|TransactionState|TransactionWrites|Transactions)))\\b.*";

  private static final int HITS_OF_A_READ = 2;

  /** Where a compaction opens what it reads, and a flush records what it has written. */
  private static final String COMPACTING =
      "io/accordiondb/(encoding/MergingCursor|internal/(compaction/Compactor(.Deleted)?"
          + "|read/LiveCells(.Opener)?|region/(FileChange|FileRecorder|Flusher|StoreFiles)"
          + "|sstable/(IndexCursor|SortedTable|SortedTableCursor)))[.].*"
          + "|.*/(FileSet|Manifest).change:.*";

  /** Where files are added to stores. */
  private static final String INGESTING =
      "io/accordiondb/internal/(region/(FileChange|FileSet|Store)|transfer/BulkLoader)\\b.*";

  private static final int HITS_OF_AN_INGESTION = 3;

  private static final String PENDING = "io/accordiondb/internal/read/PendingCells\\b.*";

  private final AllocatingCalls calls = new AllocatingCalls();
  private final AllocatingClasses classes = calls.classes();

  /** The sites where an allocation has failed. */
  private final Set<String> failed = new HashSet<>();

  /** The sites where none was made, or not as often as wanted. */
  private final Set<String> spared = new HashSet<>();

  @AfterEach
  void stopFailing() {
    AllocationFaults.plan(null);
  }

  /** Where a folder is locked and unlocked: the next opening in the process can lock it again. */
  @Test
  void sitesOfALock() throws Throwable {
    failAtEachSite(LockRun.class, "lockTwice", LOCKING, 1, 1);
  }

  /** Where a read-modify-write locks several rows, the second one among them. */
  @Test
  void sitesOfLocksOfRows() throws Throwable {
    failAtEachSite(RowLocksRun.class, "writeTwice", LOCKING_ROWS, 1, 2);
  }

  /** Where a log file is prepared: the log continues without it. */
  @Test
  void sitesOfPreparedLogFiles() throws Throwable {
    failAtEachSite(PreparedLogRun.class, "fillFiles", PREPARING, 1, 2);
  }

  /** Where a log file begins that is not the first: the log continues in another one. */
  @Test
  void sitesOfLogFilesThatBegin() throws Throwable {
    failAtEachSite(PreparedLogRun.class, "fillUnpreparedFiles", BEGINNING, 2, 2);
    assertThat(spared).isEmpty();
  }

  /** Where the names of regions are stored, which is tried again every second. */
  @Test
  void sitesOfTheNamesOfRegions() throws Throwable {
    failAtEachSite(RegionNamesRun.class, "save", NAMING, 1, 1);
    assertThat(failed).anyMatch(site -> site.contains("RecordWriter.<init>"));
  }

  /** Where a read makes the index of a cache, without which it has its result, too. */
  @Test
  void sitesOfAnIndexOfColumns() throws Throwable {
    failAtEachSite(ColumnCacheRun.class, "offerOnceMore", CACHING, 1, 1);
    assertThat(spared).isEmpty();
  }

  /** Where a scan makes what another scan uses after it. */
  @Test
  void sitesOfCursorsThatAreUsedAgain() throws Throwable {
    failAtEachSite(ScansRun.class, "scanAgain", SCANNING, 1, HITS_OF_A_SCAN);
    assertThat(failed.stream().map(site -> site.replaceAll(".*/|:.*", "")))
        .contains(
            "CellBlockCursor.makeRebuiltHold",
            "DecodedKeys.add",
            "ColumnPosition.moveTo",
            "PrefetchingMergeCursor.makeRoom");
  }

  /** Where a flush replaces memory by a file, which together have its operands twice. */
  @Test
  void sitesOfAFlushOfOperands() throws Throwable {
    failAtEachSite(FlushedOperandsRun.class, "flush", INSTALLING, 1, HITS_OF_A_FLUSH);
    assertThat(failed).anyMatch(site -> site.contains("MemStore.clearSnapshot"));
  }

  /** Where a transaction discards a write that was refused. */
  @Test
  void sitesOfARefusedWrite() throws Throwable {
    failAtEachSite(RefusedWriteRun.class, "commitWithoutIt", PENDING, 1, HITS_OF_A_REFUSED_WRITE);
  }

  /** Where a transaction is rolled back to a savepoint, which ends those made after it. */
  @Test
  void sitesOfARollbackToASavepoint() throws Throwable {
    failAtEachSite(RefusedWriteRun.class, "rollBackTwice", PENDING, 1, HITS_OF_A_REFUSED_WRITE);
  }

  /** Where something is opened for a read that does not happen, and must be closed again. */
  @Test
  void sitesOfReads() throws Throwable {
    failAtEachSite(ReadsRun.class, "read", "check", READING, 1, HITS_OF_A_READ);
  }

  /** Where a flush or a compaction opens or has written files, which must not be left. */
  @Test
  void sitesOfFilesThatAreLeft() throws Throwable {
    failAtEachSite(ReadsRun.class, "compact", "check", COMPACTING, 1, HITS_OF_A_READ);
  }

  /** Where two regions get their parts of a file, of which readers see all or none. */
  @Test
  void sitesOfAnIngestion() throws Throwable {
    failAtEachSite(IngestionRun.class, "ingest", INGESTING, 1, HITS_OF_AN_INGESTION);
  }

  /** Where a writer waits for the leader of a group, which may have seen its batch already. */
  @Test
  void sitesOfAWriterThatWaitsForAnother() throws Throwable {
    failAtEachSite(WaitingWriters.class, "write", WAITING, 1, 1);
    assertThat(spared).isEmpty();
  }

  private void failAtEachSite(Class<?> type, String method, String names, int firstHit, int lastHit)
      throws Throwable {
    failAtEachSite(type, method, null, names, firstHit, lastHit);
  }

  /**
   * Calls a method for each site whose name matches and each hit, at which an allocation fails
   * there, and then another method, in which none fails.
   */
  private void failAtEachSite(
      Class<?> type, String method, @Nullable String check, String names, int firstHit, int lastHit)
      throws Throwable {
    // Loads the classes, so that all sites are known.
    calls.call(type, method, 0);
    for (int hit = firstHit; hit <= lastHit; hit++) {
      for (int site = 0; site < classes.siteCount(); site++) {
        String name = classes.siteName(site);
        if (name.matches(names)) {
          Fault fault = new Fault(site, hit, 1);
          AllocationFaults.plan(fault);
          try {
            calls.call(type, method, 0);
            AllocationFaults.plan(null);
            if (check != null) {
              calls.call(type, check, 0);
            }
          } catch (Throwable e) {
            throw new AssertionError(name + ", hit " + hit, e);
          }
          (fault.hasFailed() ? failed : spared).add(name);
        }
      }
    }
    assertThat(failed).isNotEmpty();
  }
}
