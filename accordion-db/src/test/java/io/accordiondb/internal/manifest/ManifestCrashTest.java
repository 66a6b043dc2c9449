// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.DatabaseFailedException;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.InjectedFault;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A manifest whose process ends at each single change of the disk, with and without a loss of
 * power, and again while it is opened after that.
 */
class ManifestCrashTest {
  /** Where a new manifest file is begun, so that the switch is crashed, too. */
  private static final long ROLL_BYTES = 700;

  private static final int COMMITS = 30;

  /** What a run has done before its end. */
  private static final class Run {
    /** What each commit that has begun leads to; the last one may not have ended. */
    final List<String> versions = new ArrayList<>();

    final Set<Long> numbers = new HashSet<>();
    int committed;
    boolean created;
  }

  @Test
  void whatIsLeftIsTheLastCommitOrTheOneUnderWay() throws IOException {
    checkSeed(1);
  }

  @Test
  @Tag("long")
  void whatIsLeftIsTheLastCommitOrTheOneUnderWayForManySeeds() throws IOException {
    for (int seed = 2; seed < 30; seed++) {
      checkSeed(seed);
    }
  }

  private static void checkSeed(int seed) throws IOException {
    FaultyStorage counting = new FaultyStorage(new MemoryStorage());
    counting.count(FaultyStorage.CHANGES);
    run(counting, seed, new Run());
    assertThat(counting.count()).isGreaterThan(2 * COMMITS + 15);
    for (long end = 1; end <= counting.count(); end++) {
      try {
        check(seed, end);
      } catch (IOException | AssertionError e) {
        throw new AssertionError("seed " + seed + ", end at change " + end, e);
      }
    }
  }

  private static void check(int seed, long end) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    FaultyStorage storage = new FaultyStorage(disk);
    storage.failForEver(FaultyStorage.CHANGES, end);
    Run run = new Run();
    try {
      run(storage, seed, run);
    } catch (InjectedFault | DatabaseFailedException e) {
      // The process has ended here.
    }
    assertThat(disk.openFiles()).isZero();
    Random random = new Random(31L * seed + end);
    check(disk.copy(), run, random);
    for (int crash = 0; crash < 4; crash++) {
      check(disk.crash(random), run, random);
    }
  }

  private static void run(FaultyStorage storage, int seed, Run run) throws IOException {
    Random random = new Random(seed);
    try (Manifest manifest = Manifest.create(storage, ROLL_BYTES)) {
      run.created = true;
      run.versions.add(describe(manifest.version()));
      for (int i = 0; i < COMMITS; i++) {
        List<VersionEdit> edits =
            Edits.fitting(manifest.version(), () -> number(manifest, run), random);
        run.versions.add(describe(manifest.version().apply(edits)));
        manifest.commit(edits);
        run.committed++;
      }
    }
  }

  private static long number(Manifest manifest, Run run) throws IOException {
    long number = manifest.nextNumber();
    assertThat(run.numbers.add(number)).isTrue();
    return number;
  }

  private static void check(MemoryStorage disk, Run run, Random random) throws IOException {
    // The process may end again at each change while the manifest is opened.
    FaultyStorage counting = new FaultyStorage(disk.copy());
    counting.count(FaultyStorage.CHANGES);
    open(counting);
    for (long end = 1; end <= counting.count(); end++) {
      MemoryStorage again = disk.copy();
      FaultyStorage storage = new FaultyStorage(again);
      storage.failForEver(FaultyStorage.CHANGES, end);
      try {
        open(storage);
      } catch (InjectedFault e) {
        // The process has ended here.
      }
      checkOpens(again.crash(random), run);
    }
    checkOpens(disk, run);
  }

  private static void open(FaultyStorage storage) throws IOException {
    (Manifest.exists(storage) ? Manifest.open(storage) : Manifest.create(storage)).close();
  }

  private static void checkOpens(MemoryStorage disk, Run run) throws IOException {
    if (!Manifest.exists(disk)) {
      assertThat(run.created).isFalse();
      Manifest.create(disk).close();
      return;
    }
    try (Manifest manifest = Manifest.open(disk)) {
      if (run.created) {
        int last = run.versions.size() - 1;
        assertThat(describe(manifest.version()))
            .isIn(run.versions.get(run.committed), run.versions.get(last));
      }
      for (int i = 0; i < 70; i++) {
        assertThat(run.numbers).doesNotContain(manifest.nextNumber());
      }
    }
  }

  private static String describe(Version version) {
    return Edits.describe(version).replaceFirst("SetNextNumber.*\n", "");
  }
}
