// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.durability.AllocationFaults.Count;
import io.accordiondb.durability.AllocationFaults.Fault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
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
  private static final int SEEDS = 3;
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

  /** Where files are created or opened, which nobody would close if what follows fails. */
  private static final String FILES =
      "io/accordiondb/internal/(sstable/(BlockOutput|SortedTableWriter|CellBlockBuilder"
          + "|(Index|Filter)Writer)\\.(<init>|create)"
          + "|record/(RecordTail|RecordWriter)\\.(<init>|open)"
          + "|wal/(PreparedLog\\.create|LogTail\\.(<init>|tailOf))"
          + "|storage/ReopeningReader(.Holder)?\\.(<init>|reopen)"
          + "|region/StoreFile(\\.(of|<init>)|s\\.open)):.*";

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

  /** Faults for each seed in the default run. */
  private static final int SAMPLE = 2;

  /** How many allocations in a row fail: one, and as many as leave no way around. */
  private static final int MANY_FAILURES = 40;

  private static final int[] FAILURES = {1, MANY_FAILURES};

  private final AllocatingCalls calls = new AllocatingCalls();
  private final AllocatingClasses classes = calls.classes();

  /** The first problem at each site. */
  private final Map<String, Throwable> problems = new TreeMap<>();

  private final Set<Integer> sitesFailed = new HashSet<>();
  private int faults;

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

  /** Where files are opened, which are closed also if there is no memory for what reads them. */
  @Test
  void sitesOfFilesThatAreOpened() throws Throwable {
    failAtSites(EAGER_SEED, FILES);
    report("sites of files that are opened");
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

  private void sitesOfClosing(int seeds) throws Throwable {
    for (long seed = 0; seed < seeds; seed++) {
      failAtSites(seed, CLOSING);
    }
    report("sites of closing");
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
      if (failures == 1) {
        // Closing a file after a failure may itself need memory.
        call("checkFiles", seed);
      }
    } catch (Throwable e) {
      problems.putIfAbsent(where, e);
      hangs = e instanceof AllocatingCalls.HangError;
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
    calls.awaitNoThreads();
  }

  private void call(String method, long seed) throws Throwable {
    calls.call(AllocationRun.class, method, seed);
  }
}
