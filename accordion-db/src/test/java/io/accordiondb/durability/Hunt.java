// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import io.accordiondb.Durability;
import io.accordiondb.internal.cache.BlockCacheConcurrencyTest;
import io.accordiondb.internal.cache.BlockCacheModelTest;
import io.accordiondb.internal.read.ColumnCacheTest;
import io.accordiondb.internal.sstable.SortedTablePinsTest;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.model.ConflictHunt;
import io.accordiondb.model.ExpiryHunt;
import io.accordiondb.model.FeedHunt;
import io.accordiondb.model.MergeHunt;
import io.accordiondb.model.TransactionHunt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The tests of this package as a defect meets them: each method throws when it finds one.
 *
 * <p>Those that take a seed try that one first, and then those that follow, until they find
 * something or have tried enough. So a defect for which a good seed is known is found soon, and
 * still found when a change of the code has made that seed useless.
 */
final class Hunt {
  private static final int MODELS = 40;

  /** What folds operands runs in the background, so the same seed finds a defect or not. */
  private static final int MERGES = 200;

  private static final int CRASHES = 10_000;
  private static final int LIVES = 5;
  private static final int REGION_CHANGES = 40;
  private static final int RETENTIONS = 200;
  private static final int SEQUENCES = 3;
  private static final int STORMS = 200;
  private static final int CACHES = 20;

  /** Seeds that are tried in parallel, before those that follow. */
  private static final int AT_ONCE = 2;

  /** One bit of each fifth byte, of each place in turn. */
  private static final int BITS_STEP = 41;

  private Hunt() {}

  /** A random test. */
  private interface Seeded {
    void run(long seed) throws Exception;
  }

  /** Runs a random test with some seeds, one after another; a failure names its seed. */
  private static void from(long firstSeed, int seeds, Seeded test) {
    for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
      try {
        test.run(seed);
      } catch (AssertionError | Exception e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  static void crashes(long firstSeed) throws IOException {
    crashes(firstSeed, UnaryOperator.identity());
  }

  static void crashes(long firstSeed, UnaryOperator<Storage> between) throws IOException {
    long crashes = 0;
    for (long seed = firstSeed; crashes < CRASHES; seed++) {
      CrashRun run = new CrashRun(seed, between);
      run.run(LIVES);
      crashes += run.points();
    }
  }

  static void unlogged() throws IOException {
    DisplacedWriteTest.checkUnlogged(false);
    DisplacedWriteTest.checkUnlogged(true);
  }

  static void displaced() throws IOException {
    DisplacedWriteTest.checkLogged(Durability.ASYNC);
    DisplacedWriteTest.checkLogged(Durability.SYNC);
  }

  static void rangesInTheLog() throws IOException {
    RangeTombstoneLogTest.check();
  }

  static void merges(long firstSeed) throws IOException {
    Path folder = Files.createTempDirectory("merges");
    from(firstSeed, MERGES, seed -> MergeHunt.run(seed, folder));
  }

  static void feeds(long firstSeed) throws IOException {
    Path folder = Files.createTempDirectory("feeds");
    from(firstSeed, MODELS, seed -> FeedHunt.run(seed, folder));
  }

  static void transactions(long firstSeed) throws IOException {
    Path folder = Files.createTempDirectory("transactions");
    from(firstSeed, MODELS, seed -> TransactionHunt.run(seed, folder));
  }

  static void conflicts(long firstSeed) throws IOException {
    Path folder = Files.createTempDirectory("conflicts");
    from(firstSeed, MODELS, seed -> ConflictHunt.run(seed, folder));
  }

  static void expiry(long firstSeed) throws IOException {
    Path folder = Files.createTempDirectory("expiry");
    from(firstSeed, MODELS, seed -> ExpiryHunt.run(seed, folder));
  }

  static void errors(long firstSeed) throws IOException {
    errors(firstSeed, UnaryOperator.identity(), Operation.SYNC);
  }

  static void errors(long firstSeed, UnaryOperator<Storage> between, Operation suspect)
      throws IOException {
    ErrorAtEveryOperationTest.crash();
    ErrorAtEveryOperationTest.hunt(firstSeed, between, suspect);
  }

  static void storms(long firstSeed) {
    for (long seed = firstSeed; seed < firstSeed + STORMS; seed += AT_ONCE) {
      PassingFaultsTest.storms(seed, AT_ONCE, UnaryOperator.identity());
    }
  }

  static void bytesOfTables() throws IOException {
    bytesOf("sst/");
  }

  static void bytesOfLogs() throws IOException {
    bytesOf("wal/");
  }

  private static void bytesOf(String directory) throws IOException {
    EveryByteTest.write();
    List<String> files = EveryByteTest.files().filter(name -> name.startsWith(directory)).toList();
    // The newest first, behind which nothing tells what it should hold.
    for (int i = files.size() - 1; i >= 0; i--) {
      EveryByteTest.bits(files.get(i), BITS_STEP);
    }
  }

  static void retention(long firstSeed) throws IOException {
    for (long seed = firstSeed; seed < firstSeed + RETENTIONS; seed += AT_ONCE) {
      RetentionTest.check(seed, AT_ONCE);
    }
  }

  static void files() throws IOException {
    EveryFileTest.hunt();
  }

  static void regionChanges(long firstSeed) {
    from(firstSeed, REGION_CHANGES, RegionChangesUnderWritesTest::run);
  }

  static void cache(long firstSeed) {
    from(firstSeed, CACHES, seed -> BlockCacheModelTest.check(200_000, 2_000, seed));
  }

  static void cacheInThreads() throws Exception {
    BlockCacheConcurrencyTest.check();
  }

  static void columns(long firstSeed) {
    from(firstSeed, CACHES, seed -> ColumnCacheTest.check(100_000, 500, seed));
  }

  static void pins() throws IOException {
    SortedTablePinsTest.check();
  }

  static void options(long firstSeed) {
    from(firstSeed, SEQUENCES, MetamorphicTest::check);
  }
}
