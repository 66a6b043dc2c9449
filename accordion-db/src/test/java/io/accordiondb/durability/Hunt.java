// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import io.accordiondb.Durability;
import io.accordiondb.internal.cache.BlockCacheConcurrencyTest;
import io.accordiondb.internal.cache.BlockCacheModelTest;
import io.accordiondb.internal.read.ColumnCacheTest;
import io.accordiondb.internal.sstable.SortedTablePinsTest;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.model.ExpiryHunt;
import io.accordiondb.model.MergeHunt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** The tests of this package as a defect meets them: each method throws when it finds one. */
final class Hunt {
  private static final int CRASHES = 10_000;
  private static final int LIVES = 5;
  private static final int REGION_CHANGES = 40;
  private static final int STORMS = 200;
  private static final int CACHES = 20;

  /** One bit of each fifth byte, of each place in turn. */
  private static final int BITS_STEP = 41;

  private Hunt() {}

  static void crashes() throws IOException {
    crashes(UnaryOperator.identity());
  }

  static void crashes(UnaryOperator<Storage> between) throws IOException {
    long crashes = 0;
    for (long seed = 1; crashes < CRASHES; seed++) {
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

  static void merges() throws IOException {
    Path folder = Files.createTempDirectory("merges");
    MergeHunt.run(folder);
  }

  static void expiry() throws IOException {
    Path folder = Files.createTempDirectory("expiry");
    ExpiryHunt.run(folder);
  }

  static void errors() throws IOException {
    errors(UnaryOperator.identity());
  }

  static void errors(UnaryOperator<Storage> between) throws IOException {
    ErrorAtEveryOperationTest.crash();
    ErrorAtEveryOperationTest.hunt(between);
  }

  static void storms() {
    PassingFaultsTest.storms(1, STORMS, UnaryOperator.identity());
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

  static void retention() throws IOException {
    RetentionTest.check(1, 10 * RetentionTest.SEEDS);
  }

  static void files() throws IOException {
    EveryFileTest.hunt();
  }

  static void regionChanges() throws Exception {
    for (long seed = 1; seed <= REGION_CHANGES; seed++) {
      RegionChangesUnderWritesTest.run(seed);
    }
  }

  static void cache() {
    for (long seed = 1; seed <= CACHES; seed++) {
      BlockCacheModelTest.check(200_000, 2_000, seed);
    }
  }

  static void cacheInThreads() throws Exception {
    BlockCacheConcurrencyTest.check();
  }

  static void columns() {
    for (long seed = 1; seed <= CACHES; seed++) {
      ColumnCacheTest.check(100_000, 500, seed);
    }
  }

  static void pins() throws IOException {
    SortedTablePinsTest.check();
  }

  static void options() throws IOException {
    MetamorphicTest.check(1);
  }
}
