// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.OwnThreads;
import io.accordiondb.durability.AllocationFaults.Count;
import io.accordiondb.durability.AllocationFaults.Fault;
import io.accordiondb.internal.read.ColumnCacheRun;
import io.accordiondb.internal.wal.PreparedLogRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One workload, again and again, in each of which the process runs out of memory at another place
 * of the database's code. Whatever fails, all ends in time, readers see what was acknowledged, and
 * the database opens afterwards with all that was acknowledged as durable.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class AllocationFaultTest {
  private static final int SEEDS = 4;
  private static final int SEEDS_LONG = 10;

  /** The seed of a database that flushes and merges in memory at each opportunity. */
  private static final long EAGER_SEED = 2;

  /** A seed of a workload with transactions. */
  private static final long TRANSACTIONS_SEED = 0;

  /** The seed of a database whose regions are split and merged with many tables. */
  private static final long REGION_CHANGES_SEED = 9;

  private static final String OPENING = "io/accordiondb/internal/sstable/SortedTable.open:";
  private static final String MEMORY_STORE =
      "io/accordiondb/(chunk/.*|memstore/(MemStore|Segment(List|Factory)|PipelineWorker)\\b.*)";

  private static final String CLOSING =
      "io/accordiondb/internal/(engine|commit)/.*\\.(close|endWork|closeManifest):.*";

  /** Where a writer waits whose batch is in the queue. */
  private static final String WAITING =
      "io/accordiondb/internal/commit/(GroupCommit.awaitLead|Locks.takeWhateverFails):.*";

  /** Where a folder is locked and unlocked. */
  private static final String LOCKING =
      "io/accordiondb/internal/storage/"
          + "(FileStorage.(lock|permissions)|FileStorage.Lock.(<init>|close)"
          + "|FolderLock.(acquire|create|identityOf|lockedFile|lock|read|attributesOf|<init>)"
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

  private static final int HITS_OF_A_FLUSH = 4;

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
          + "|read/LiveCells(.Opener)?|region/(FileChange|Flusher|StoreFiles)"
          + "|sstable/(IndexCursor|SortedTable|SortedTableCursor)))[.].*"
          + "|.*/(FileSet|Manifest).change:.*";

  /** Where files are added to stores. */
  private static final String INGESTING =
      "io/accordiondb/internal/(region/(FileChange|FileSet|Store)|transfer/BulkLoader)\\b.*";

  private static final int HITS_OF_AN_INGESTION = 4;

  /** How many commits fail at the most, at each site. */
  private static final int COMMITS = 8;

  /** What the manifest allocates between a commit and the version that it leads to. */
  private static final String COMMITTED =
      "io/accordiondb/internal/manifest/RollingManifestFile.mark:";

  /** What is allocated for a database when all its parts are open, and its threads run. */
  private static final String OPENED =
      "io/accordiondb/internal/(engine/(DatabaseEngine|Observation|AmplificationWindow)\\.<init>"
          + "|metrics/Telemetry\\.observe|jmx/).*";

  /** Where an active segment is replaced; what a failure does there depends on the caller. */
  private static final String REPLACING = "io/accordiondb/memstore/SegmentFactory\\b.*";

  private static final String PENDING = "io/accordiondb/internal/read/PendingCells\\b.*";

  private static final int HITS_WHILE_REPLACING = 2;
  private static final int HITS_WHILE_REPLACING_LONG = 8;

  /** The default run lets one of this number of sites of the memory store fail. */
  private static final int SOME = 6;

  /** A thousand times as long as a run takes; other processes may keep the machine busy. */
  private static final int DEADLINE_SECONDS = 30;

  /** Faults for each seed in the default run. */
  private static final int SAMPLE = 2;

  /** How many allocations in a row fail: one, and as many as leave no way around. */
  private static final int MANY_FAILURES = 40;

  private static final int[] FAILURES = {1, MANY_FAILURES};

  private final AllocatingClasses classes = new AllocatingClasses();

  /** The first problem at each site. */
  private final Map<String, Throwable> problems = new TreeMap<>();

  private final Set<Integer> sitesFailed = new HashSet<>();
  private int faults;

  /** All lives are lived in these, so that they have the threads of all databases. */
  private final OwnThreads threads = new OwnThreads();

  @AfterEach
  void stopFailing() {
    AllocationFaults.plan(null);
  }

  /** Where cells change hands: between the segments of a memory store, and in its memory. */
  @Test
  void someOtherSitesOfTheMemoryStore() throws Throwable {
    otherSitesOfTheMemoryStore(SOME);
  }

  @Test
  @Tag("long")
  void everyOtherSiteOfTheMemoryStore() throws Throwable {
    otherSitesOfTheMemoryStore(1);
  }

  private void otherSitesOfTheMemoryStore(int step) throws Throwable {
    Count count = count(EAGER_SEED);
    List<Integer> sites =
        visited(count).stream()
            .filter(site -> classes.siteName(site).matches(MEMORY_STORE))
            .filter(site -> !classes.siteName(site).matches(REPLACING))
            .toList();
    for (int i = 0; i < sites.size(); i += step) {
      int site = sites.get(i);
      fail(EAGER_SEED, site, 1 + count.hits(site) / 2, 1);
    }
    report("sites of the memory store");
  }

  @Test
  void everySiteThatReplacesASegment() throws Throwable {
    sitesThatReplaceASegment(HITS_WHILE_REPLACING);
  }

  @Test
  @Tag("long")
  void everySiteThatReplacesASegmentMoreOften() throws Throwable {
    sitesThatReplaceASegment(HITS_WHILE_REPLACING_LONG);
  }

  private void sitesThatReplaceASegment(int hits) throws Throwable {
    Count count = count(EAGER_SEED);
    for (int site : visited(count)) {
      if (classes.siteName(site).matches(REPLACING)) {
        for (int i = 1; i <= hits; i++) {
          fail(EAGER_SEED, site, 1 + count.hits(site) * i / (hits + 1), 1);
        }
      }
    }
    report("every site that replaces a segment");
  }

  /** Where a transaction keeps its writes, which it discards if one of them fails. */
  @Test
  void everySiteThatKeepsTheWritesOfATransaction() throws Throwable {
    Count count = count(TRANSACTIONS_SEED);
    for (int site : visited(count)) {
      if (classes.siteName(site).matches(PENDING)) {
        fail(TRANSACTIONS_SEED, site, 1, 1);
      }
    }
    report("every site that keeps the writes of a transaction");
  }

  @Test
  void someSites() throws Throwable {
    SplittableRandom random = new SplittableRandom(7);
    for (long seed = 0; seed < SEEDS; seed++) {
      Count count = count(seed);
      List<Integer> sites = visited(count);
      for (int i = 0; i < SAMPLE; i++) {
        int site = sites.get(random.nextInt(sites.size()));
        int hit = 1 + random.nextInt(count.hits(site));
        fail(seed, site, hit, FAILURES[random.nextInt(FAILURES.length)]);
      }
    }
    report("some sites");
  }

  @Test
  @Tag("long")
  void everySite() throws Throwable {
    SplittableRandom random = new SplittableRandom(8);
    int seeds = Integer.getInteger("allocation.seeds", SEEDS_LONG);
    for (long seed = 0; seed < seeds; seed++) {
      Count count = count(seed);
      for (int site : visited(count)) {
        for (int failures : FAILURES) {
          fail(seed, site, 1, failures);
          fail(seed, site, 1 + random.nextInt(count.hits(site)), failures);
        }
      }
    }
    report("every site");
  }

  /** Where stores are opened for a change of regions, whose old stores must open again then. */
  @Test
  void sitesOfTablesThatAreOpened() throws Throwable {
    Count count = count(REGION_CHANGES_SEED);
    for (int site : visited(count)) {
      if (classes.siteName(site).startsWith(OPENING)) {
        fail(REGION_CHANGES_SEED, site, 1 + count.hits(site) / 4, MANY_FAILURES);
        fail(REGION_CHANGES_SEED, site, 1 + count.hits(site) / 2, MANY_FAILURES);
      }
    }
    report("sites of tables that are opened");
  }

  /** Where a database is opened, which leaves no thread and no lock if it fails. */
  @Test
  void sitesOfADatabaseThatIsOpen() throws Throwable {
    failAtSites(EAGER_SEED, OPENED);
    report("sites of a database that is open");
  }

  /** Where a database is closed, which ends all its threads whatever fails. */
  @Test
  void sitesOfClosing() throws Throwable {
    sitesOfClosing(SEEDS);
  }

  @Test
  @Tag("long")
  void sitesOfClosingForMoreSeeds() throws Throwable {
    sitesOfClosing(SEEDS_LONG);
  }

  /** Where a folder is locked and unlocked: the next opening in the process can lock it again. */
  @Test
  void sitesOfALock() throws Throwable {
    failAtEachSite(LockRun.class, "lockTwice", LOCKING, 1);
  }

  /** Where a read-modify-write locks several rows, the second one among them. */
  @Test
  void sitesOfLocksOfRows() throws Throwable {
    failAtEachSite(RowLocksRun.class, "writeTwice", LOCKING_ROWS, 1);
    failAtEachSite(RowLocksRun.class, "writeTwice", LOCKING_ROWS, 2);
  }

  /** Where a log file is prepared: the log continues without it. */
  @Test
  void sitesOfPreparedLogFiles() throws Throwable {
    failAtEachSite(PreparedLogRun.class, "fillFiles", PREPARING, 1);
    failAtEachSite(PreparedLogRun.class, "fillFiles", PREPARING, 2);
  }

  /** Where a log file begins that is not the first: the log continues in another one. */
  @Test
  void sitesOfLogFilesThatBegin() throws Throwable {
    failAtEachSite(PreparedLogRun.class, "fillUnpreparedFiles", BEGINNING, 2);
    assertThat(sitesFailed).doesNotContain(-1);
  }

  /** Where a read makes the index of a cache, without which it has its result, too. */
  @Test
  void sitesOfAnIndexOfColumns() throws Throwable {
    failAtEachSite(ColumnCacheRun.class, "offerOnceMore", CACHING, 1);
    assertThat(sitesFailed).doesNotContain(-1);
  }

  /** Where a scan makes what another scan uses after it. */
  @Test
  void sitesOfCursorsThatAreUsedAgain() throws Throwable {
    for (int hit = 1; hit <= HITS_OF_A_SCAN; hit++) {
      failAtEachSite(ScansRun.class, "scanAgain", SCANNING, hit);
    }
    Set<String> failed = new HashSet<>();
    sitesFailed.stream()
        .filter(site -> site >= 0)
        .forEach(site -> failed.add(classes.siteName(site).replaceAll(".*/|:.*", "")));
    assertThat(failed)
        .contains(
            "CellBlockCursor.makeRebuiltHold",
            "DecodedKeys.add",
            "ColumnPosition.moveTo",
            "PrefetchingMergeCursor.makeRoom");
  }

  /** Where a flush replaces memory by a file, which together have its operands twice. */
  @Test
  void sitesOfAFlushOfOperands() throws Throwable {
    for (int hit = 1; hit <= HITS_OF_A_FLUSH; hit++) {
      failAtEachSite(FlushedOperandsRun.class, "flush", INSTALLING, hit);
    }
    assertThat(sitesFailed.stream().filter(site -> site >= 0).map(classes::siteName))
        .anyMatch(name -> name.contains("MemStore.clearSnapshot"));
  }

  /** Where a transaction discards a write that was refused. */
  @Test
  void sitesOfARefusedWrite() throws Throwable {
    for (int hit = 1; hit <= HITS_OF_A_REFUSED_WRITE; hit++) {
      failAtEachSite(RefusedWriteRun.class, "commitWithoutIt", PENDING, hit);
    }
  }

  /** Where a transaction is rolled back to a savepoint, which ends those made after it. */
  @Test
  void sitesOfARollbackToASavepoint() throws Throwable {
    for (int hit = 1; hit <= HITS_OF_A_REFUSED_WRITE; hit++) {
      failAtEachSite(RefusedWriteRun.class, "rollBackTwice", PENDING, hit);
    }
  }

  /** Where something is opened for a read that does not happen, and must be closed again. */
  @Test
  void sitesOfReads() throws Throwable {
    for (int hit = 1; hit <= HITS_OF_A_READ; hit++) {
      failAtEachSite(ReadsRun.class, "read", "check", READING, hit);
    }
  }

  /** Where a flush or a compaction opens or has written files, which must not be left. */
  @Test
  void sitesOfFilesThatAreLeft() throws Throwable {
    for (int hit = 1; hit <= HITS_OF_A_READ; hit++) {
      failAtEachSite(ReadsRun.class, "compact", "check", COMPACTING, hit);
    }
  }

  /** Where two regions get their parts of a file, of which readers see all or none. */
  @Test
  void sitesOfAnIngestion() throws Throwable {
    for (int hit = 1; hit <= HITS_OF_AN_INGESTION; hit++) {
      failAtEachSite(IngestionRun.class, "ingest", INGESTING, hit);
    }
  }

  private void sitesOfClosing(int seeds) throws Throwable {
    for (long seed = 0; seed < seeds; seed++) {
      failAtSites(seed, CLOSING);
    }
    report("sites of closing");
  }

  /** Where a writer waits for the leader of a group, which may have seen its batch already. */
  @Test
  void sitesOfAWriterThatWaitsForAnother() throws Throwable {
    failAtEachSite(WaitingWriters.class, "write", WAITING, 1);
    assertThat(sitesFailed).doesNotContain(-1);
  }

  private void failAtEachSite(Class<?> type, String method, String names, int hit)
      throws Throwable {
    failAtEachSite(type, method, null, names, hit);
  }

  /** Same, and calls another method afterwards, in which nothing fails. */
  private void failAtEachSite(
      Class<?> type, String method, @Nullable String check, String names, int hit)
      throws Throwable {
    call(type, method, 0);
    for (int site = 0; site < classes.siteCount(); site++) {
      if (classes.siteName(site).matches(names)) {
        Fault fault = new Fault(site, hit, 1);
        AllocationFaults.plan(fault);
        try {
          call(type, method, 0);
          AllocationFaults.plan(null);
          if (check != null) {
            call(type, check, 0);
          }
        } catch (Throwable e) {
          throw new AssertionError(classes.siteName(site), e);
        }
        sitesFailed.add(fault.hasFailed() ? site : -1);
      }
    }
    assertThat(sitesFailed).isNotEmpty();
  }

  /** Where the manifest counts a commit that is on the device already. */
  @Test
  void sitesBehindACommitOfTheManifest() throws Throwable {
    for (long seed : new long[] {0, EAGER_SEED}) {
      Count count = count(seed);
      for (int site : visited(count)) {
        if (classes.siteName(site).startsWith(COMMITTED)) {
          for (int hit = 1; hit <= count.hits(site); hit += 1 + count.hits(site) / COMMITS) {
            fail(seed, site, hit, 1);
          }
        }
      }
    }
    report("sites behind a commit of the manifest");
  }

  /** Fails the first allocation at each visited site whose name matches, once and several times. */
  private void failAtSites(long seed, String names) throws Throwable {
    Count count = count(seed);
    for (int site : visited(count)) {
      if (classes.siteName(site).matches(names)) {
        for (int failures : FAILURES) {
          fail(seed, site, 1, failures);
        }
      }
    }
  }

  /** Lives without a fault, and counts where it allocates. */
  private Count count(long seed) throws Throwable {
    call("prepare", seed);
    // Loads the classes, so that all sites are known.
    call("live", seed);
    Count count = new Count(classes.siteCount());
    AllocationFaults.plan(count);
    call("live", seed);
    AllocationFaults.plan(null);
    call("check", seed);
    return count;
  }

  private List<Integer> visited(Count count) {
    List<Integer> sites = new ArrayList<>();
    for (int site = 0; site < classes.siteCount(); site++) {
      if (count.hits(site) > 0) {
        sites.add(site);
      }
    }
    assertThat(sites).hasSizeGreaterThan(500);
    return sites;
  }

  private void fail(long seed, int site, int hit, int failures) throws InterruptedException {
    String where =
        classes.siteName(site) + ", hit " + hit + ", " + failures + " failures, seed " + seed;
    Fault fault = new Fault(site, hit, failures);
    boolean hangs = false;
    try {
      AllocationFaults.plan(fault);
      call("live", seed);
      AllocationFaults.plan(null);
      call("check", seed);
    } catch (Throwable e) {
      problems.putIfAbsent(where, e);
      hangs = e instanceof HangError;
    } finally {
      AllocationFaults.plan(null);
    }
    if (fault.hasFailed()) {
      faults++;
      sitesFailed.add(site);
    }
    if (hangs) {
      // It may go on and take the time of all runs that follow.
      report("up to a run that hangs");
    }
  }

  private void report(String what) throws InterruptedException {
    System.out.printf(
        "%s: %d faults at %d of the %d sites in the code, %d problems%n",
        what, faults, sitesFailed.size(), classes.siteCount(), problems.size());
    assertThat(sitesFailed).isNotEmpty();
    if (!problems.isEmpty()) {
      AssertionError error = new AssertionError(String.join("\n", problems.keySet()));
      problems.values().stream().limit(5).forEach(error::addSuppressed);
      throw error;
    }
    awaitNoThreads();
  }

  /** Waits until no thread of a database is left, all of which were closed. */
  private void awaitNoThreads() throws InterruptedException {
    List<Thread> left = threads.ofDatabasesAfter(Duration.ofSeconds(deadlineSeconds()));
    if (!left.isEmpty()) {
      AssertionError error = new AssertionError("threads that outlive their database: " + left);
      left.forEach(thread -> error.addSuppressed(stackOf(thread)));
      throw error;
    }
  }

  private static AssertionError stackOf(Thread thread) {
    AssertionError stack = new AssertionError(thread.getName());
    stack.setStackTrace(thread.getStackTrace());
    return stack;
  }

  /**
   * Calls a method of {@link AllocationRun} in a thread of its own; fails with what all threads do
   * if it does not end.
   */
  private void call(String method, long seed) throws Throwable {
    call(AllocationRun.class, method, seed);
  }

  private void call(Class<?> type, String method, long argument) throws Throwable {
    AtomicReference<@Nullable Throwable> problem = new AtomicReference<>();
    Thread thread =
        threads.start(
            "allocation-run",
            () -> {
              try {
                classes.call(type, method, argument);
              } catch (Throwable e) {
                problem.set(e);
              }
            });
    thread.join(TimeUnit.SECONDS.toMillis(deadlineSeconds()));
    if (thread.isAlive()) {
      HangError hang = hang(thread);
      thread.interrupt();
      throw hang;
    }
    Throwable thrown = problem.get();
    if (thrown != null) {
      throw thrown;
    }
  }

  /** Where a defect is planted that hangs, it need not be waited for as long. */
  private static int deadlineSeconds() {
    return DEADLINE_SECONDS;
  }

  /** A run that does not end. */
  private static final class HangError extends AssertionError {
    private static final long serialVersionUID = 1L;

    HangError() {
      super("hangs");
    }
  }

  private HangError hang(Thread hanging) {
    HangError hang = new HangError();
    hang.setStackTrace(hanging.getStackTrace());
    threads.ofDatabases().forEach(thread -> hang.addSuppressed(stackOf(thread)));
    return hang;
  }
}
