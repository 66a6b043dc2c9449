// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static io.accordiondb.fixtures.TestFiles.deleteFolder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyProviders;
import io.accordiondb.backup.FailingTarget.Fault;
import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Changes a database at random, and backs it up, deletes backups and restores them, while calls of
 * the target fail, processes are killed, backups are cancelled, and threads do several things at
 * once. A restored database may take the place of the first one.
 *
 * <p>After each step, the target must list the generations that were made, each must be whole, and
 * one restores what its database held. What is foreign stays, and once a deletion has succeeded,
 * there is nothing that no generation needs.
 *
 * <p>The file is long because its steps share all that the others have left.
 */
final class BackupRun {
  private static final int STEPS = 30;
  private static final int CHANGES_MAX = 12;
  private static final int CALLS_MAX = 40;
  private static final int MOMENTS = 3;

  private final SplittableRandom random;
  private final Path folder;
  private final Path place;
  private final boolean fails;
  private final FailingTarget failing;
  private final DatabaseOptions options;
  private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);
  private final NavigableMap<Long, BackedUp> expected = new TreeMap<>();
  private final CheckedPlace checked;
  private final ExpectedMoments moments = new ExpectedMoments();
  private Backups backups;
  private TrackedDatabase tracked;
  private int names;

  /**
   * A generation that must be listed.
   *
   * @param isByReader whether a database that is open for reading only has made it
   */
  record BackedUp(
      History history,
      SortedMap<String, SortedMap<String, String>> contents,
      Generation generation,
      boolean isByReader) {}

  /** Something that is done with backups. */
  private interface Work {
    void run() throws IOException;
  }

  private BackupRun(long seed, Path folder) throws IOException {
    this.random = new SplittableRandom(seed);
    this.folder = folder;
    this.place = folder.resolve("backups");
    this.checked = new CheckedPlace(place);
    this.failing = new FailingTarget(place);
    this.fails = random.nextInt(3) > 0;
    DatabaseOptions.Builder builder =
        DatabaseOptions.builder()
            .memoryBytes(1 << 20)
            .logFileBytes(4 << 10)
            .logRetention(Duration.ofDays(1))
            .clock(() -> Instant.ofEpochMilli(clock.get()));
    if (random.nextInt(4) == 0) {
      Path keys = folder.resolve("keys");
      Files.writeString(keys, "one " + Base64.getEncoder().encodeToString(new byte[32]));
      builder.encryption(KeyProviders.file(keys));
    }
    this.options = builder.build();
    this.backups = newBackups();
    this.tracked = new TrackedDatabase(folder.resolve("db"), options, random, clock, new History());
    moments.begin(tracked.history());
  }

  /** Does everything of one run, in a folder. */
  static void run(long seed, Path folder) throws Exception {
    Files.createDirectories(folder);
    BackupRun run = new BackupRun(seed, folder);
    try {
      for (int i = 0; i < STEPS; i++) {
        run.step();
        run.check();
      }
      run.keep();
      for (long number : List.copyOf(run.expected.keySet())) {
        run.assertRestores(number);
      }
    } finally {
      Thread.interrupted();
      run.tracked.close();
    }
  }

  /** Returns what a new process has. */
  private Backups newBackups() {
    return Backups.at(fails ? failing : BackupTarget.folder(place));
  }

  private void step() throws Exception {
    int choice = expected.isEmpty() ? 30 : random.nextInt(100);
    if (choice < 30) {
      change();
    } else if (choice < 48) {
      change();
      create();
    } else if (choice < 60) {
      change();
      createAndFail();
    } else if (choice < 65) {
      deleteOrKeep();
    } else if (choice < 73) {
      deleteAndFail();
    } else if (choice < 79) {
      assertRestores(anyNumber());
    } else if (choice < 83) {
      restoreAndFail();
    } else if (choice < 88) {
      restoreMoments();
    } else if (choice < 91) {
      createBesideOthers();
    } else if (choice < 94) {
      doAllAtOnce();
    } else if (choice < 98) {
      goOnFromCopy();
    } else {
      checked.leaveForeign();
    }
  }

  private void change() throws IOException {
    int count = 1 + random.nextInt(CHANGES_MAX);
    for (int i = 0; i < count; i++) {
      tracked.change();
    }
  }

  private Path newPath(String name) {
    return folder.resolve(name + names++);
  }

  private long anyNumber() {
    return List.copyOf(expected.keySet()).get(random.nextInt(expected.size()));
  }

  private long nextNumber() {
    return expected.isEmpty() ? 1 : expected.lastKey() + 1;
  }

  private BackupOptions anyOptions() {
    BackupOptions chosen = BackupOptions.DEFAULTS.withReadsAll(random.nextInt(4) == 0);
    return random.nextInt(4) == 0 ? chosen.withStaging(folder.resolve("links")) : chosen;
  }

  private void create() throws IOException {
    if (random.nextInt(5) > 0) {
      create(anyOptions());
      return;
    }
    tracked.sync();
    DatabaseOptions reading = options.toBuilder().readOnly(true).build();
    try (Database reader = Database.open(tracked.folder(), reading)) {
      BackupOptions chosen = anyOptions();
      expect(backups.create(reader, chosen), true);
      assertNothingUnfinished(chosen);
    }
  }

  private void create(BackupOptions chosen) throws IOException {
    expect(backups.create(tracked.database(), chosen), false);
    assertNothingUnfinished(chosen);
  }

  private void expect(Generation made, boolean isByReader) throws IOException {
    assertThat(made.number()).isEqualTo(nextNumber());
    if (!isByReader) {
      tracked.remember(true);
    }
    expected.put(
        made.number(),
        new BackedUp(tracked.history(), tracked.history().last().contents(), made, isByReader));
  }

  /** Cancels or interrupts a backup, breaks its lock, or lets a call of the target fail. */
  private void createAndFail() throws IOException {
    long number = nextNumber();
    int choice = random.nextInt(fails ? 8 : 4);
    if (choice > 2) {
      attempt(() -> backups.create(tracked.database(), anyOptions()));
      adopt(number, failing.hasWrittenGeneration() || !fails);
      endAttempt();
      return;
    }
    int files = 1 + random.nextInt(6);
    BackupOptions chosen =
        anyOptions()
            .withProgress(
                (file, filesAll, bytes, bytesAll) -> {
                  if (file == Math.min(files, filesAll)) {
                    fail(choice);
                  }
                });
    boolean done = false;
    try {
      backups.create(tracked.database(), chosen);
      done = true;
    } catch (IOException | CancellationException e) {
      assertThat(backups.generations()).hasSameSizeAs(expected.keySet());
    }
    boolean interrupted = Thread.interrupted();
    assertThat(done).isEqualTo(false);
    assertThat(interrupted).isEqualTo(choice == 1);
    assertThat(linksOf(chosen)).doesNotExist();
  }

  private void fail(int choice) {
    switch (choice) {
      case 0 -> throw new CancellationException();
      case 1 -> Thread.currentThread().interrupt();
      default -> {
        try {
          backups.breakLock();
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  /** Does something of which a call of the target fails; returns whether it has failed. */
  private boolean attempt(Work work) throws IOException {
    if (fails) {
      Fault[] faults = Fault.values();
      failing.failAfter(random.nextInt(CALLS_MAX), faults[random.nextInt(faults.length)]);
    }
    try {
      work.run();
      return false;
    } catch (IOException e) {
      assertThat(fails).as(e.toString()).isTrue();
      return true;
    } finally {
      boolean killed = failing.isDead();
      failing.heal();
      if (killed) {
        leaveKilled();
      }
    }
  }

  /** Leaves the lock and the links of a process that was killed, and begins another one. */
  private void leaveKilled() throws IOException {
    if (random.nextInt(4) == 0) {
      backups.breakLock();
    } else {
      checked.leaveKilledLock();
    }
    if (random.nextBoolean()) {
      Path links = linksOf(BackupOptions.DEFAULTS).resolve("accordion-backup-links");
      Path sst = Files.createDirectories(links.resolve("sst"));
      Files.writeString(sst.resolve("000000000001.sst"), "left");
    }
    backups = newBackups();
  }

  /** Takes over a generation that a failed call may have written, or not. */
  private void adopt(long number, boolean mayBeThere) throws IOException {
    for (Generation each : Backups.at(BackupTarget.folder(place)).generations()) {
      if (each.number() == number) {
        assertThat(mayBeThere).as("generation %s is there", number).isTrue();
        expect(each, false);
      }
    }
  }

  /** What has failed must not keep the next one from success. */
  private void endAttempt() throws IOException {
    if (random.nextBoolean()) {
      create(anyOptions());
    } else {
      keep();
    }
  }

  private void deleteOrKeep() throws IOException {
    if (random.nextBoolean()) {
      long number = anyNumber();
      backups.delete(number);
      expected.remove(number);
      checked.assertOnlyNeeded(expected.keySet());
    } else {
      keep();
    }
  }

  private void keep() throws IOException {
    int count = 1 + random.nextInt(8);
    backups.keepNewest(count);
    while (expected.size() > count) {
      expected.pollFirstEntry();
    }
    checked.assertOnlyNeeded(expected.keySet());
  }

  private void deleteAndFail() throws IOException {
    Set<Long> mayGo = new HashSet<>();
    if (random.nextBoolean()) {
      long number = anyNumber();
      mayGo.add(number);
      attempt(() -> backups.delete(number));
    } else {
      int count = 1 + random.nextInt(6);
      List<Long> numbers = List.copyOf(expected.keySet());
      mayGo.addAll(numbers.subList(0, Math.max(0, numbers.size() - count)));
      attempt(() -> backups.keepNewest(count));
    }
    Set<Long> there = new HashSet<>();
    Backups.at(BackupTarget.folder(place)).generations().forEach(each -> there.add(each.number()));
    expected.keySet().removeIf(number -> mayGo.contains(number) && !there.contains(number));
    endAttempt();
  }

  private void assertRestores(long number) throws IOException {
    Path copy = newPath("copy");
    if (random.nextBoolean()) {
      Files.createDirectories(copy);
    }
    restoreSound(number, copy);
    deleteFolder(copy);
  }

  private void restoreSound(long number, Path copy) throws IOException {
    backups.restore(number, copy, anyOptions());
    assertThat(copy.resolve("restoring")).doesNotExist();
    assertThat(copy.resolve("kept")).doesNotExist();
    try (Database database = Database.open(copy, options)) {
      assertThat(TrackedDatabase.contents(database))
          .as("generation %s", number)
          .isEqualTo(expected.get(number).contents());
    }
  }

  /** Restores over other things, which is refused, or with a failing call, and repeats it. */
  private void restoreAndFail() throws IOException {
    long number = anyNumber();
    Path copy = newPath("copy");
    if (random.nextBoolean()) {
      Path left = random.nextBoolean() ? copy.resolve("restoring") : copy.resolve("sst");
      Files.createDirectories(left);
      assertThatThrownBy(() -> backups.restore(number, copy))
          .isInstanceOf(DirectoryNotEmptyException.class);
      assertThat(left).isEmptyDirectory();
      Files.delete(left);
    }
    boolean existed = Files.exists(copy);
    if (attempt(() -> backups.restore(number, copy))) {
      assertThat(Files.exists(copy)).isEqualTo(existed);
      assertThat(Folders.isOccupied(copy)).isFalse();
    } else {
      deleteFolder(copy);
    }
    restoreSound(number, copy);
    deleteFolder(copy);
  }

  private void restoreMoments() throws IOException {
    for (int i = 0; i < MOMENTS; i++) {
      Path copy = newPath("moment");
      moments.restore(backups, expected, random, copy, options);
      deleteFolder(copy);
    }
  }

  /** While a backup runs, another one and deletions are refused, and generations are restored. */
  private void createBesideOthers() throws IOException {
    long number = anyNumber();
    boolean[] done = new boolean[1];
    BackupOptions chosen =
        anyOptions()
            .withProgress(
                (file, filesAll, bytes, bytesAll) -> {
                  if (!done[0]) {
                    done[0] = true;
                    assertDeletionsAreRefused(number);
                  }
                });
    create(chosen);
    assertThat(done[0]).isTrue();
  }

  private void assertDeletionsAreRefused(long number) {
    assertThatThrownBy(() -> backups.delete(number)).isInstanceOf(BackupLockedException.class);
    assertThatThrownBy(() -> backups.keepNewest(1)).isInstanceOf(BackupLockedException.class);
    assertThatThrownBy(() -> backups.create(tracked.database()))
        .isInstanceOf(BackupLockedException.class);
    try {
      assertRestores(number);
      tracked.database().flush();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Creates, deletes and restores in several threads. */
  private void doAllAtOnce() throws Exception {
    List<Generation> made = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    long number = anyNumber();
    Path copy = newPath("copy");
    List<Long> kept = new ArrayList<>();
    BackupOptions chosen = anyOptions();
    BackedUp restored = expected.get(number);
    List<TestThread> threads =
        List.of(
            TestThread.start(
                "create", unlessLocked(() -> made.add(backups.create(tracked.database(), chosen)))),
            TestThread.start(
                "keep",
                unlessLocked(
                    () -> {
                      backups.keepNewest(count);
                      kept.add((long) count);
                    })),
            TestThread.start(
                "restore",
                () -> {
                  try {
                    backups.restore(number, copy);
                    try (Database database = Database.open(copy, options)) {
                      assertThat(TrackedDatabase.contents(database)).isEqualTo(restored.contents());
                    }
                  } catch (GenerationNotFoundException e) {
                    assertThat(copy).doesNotExist();
                  }
                }));
    for (TestThread each : threads) {
      each.join();
    }
    for (Generation each : made) {
      expect(each, false);
    }
    // The deletion was before or after the backup.
    int listed = backups.generations().size();
    assertThat(listed).isBetween(Math.min(expected.size(), count), expected.size());
    if (!kept.isEmpty()) {
      assertThat(listed).isLessThanOrEqualTo(count + made.size());
      while (expected.size() > listed) {
        expected.pollFirstEntry();
      }
    }
    deleteFolder(copy);
    keep();
  }

  private static TestThread.Call unlessLocked(Work work) {
    return () -> {
      try {
        work.run();
      } catch (BackupLockedException e) {
        // The other one has it.
      }
    };
  }

  /** Restores a generation, which takes the place of the database. */
  private void goOnFromCopy() throws IOException {
    long number = anyNumber();
    Path copy = newPath("db");
    History history = null;
    if (random.nextInt(4) == 0) {
      history = moments.restore(backups, expected, random, copy, options);
    }
    if (history == null) {
      restoreSound(number, copy);
      deleteFolder(copy);
      backups.restore(number, copy);
      BackedUp from = expected.get(number);
      history = from.history().upTo(from.generation().checkpoint().sequence());
    }
    tracked.close();
    deleteFolder(tracked.folder());
    clock.addAndGet(60_000);
    tracked = new TrackedDatabase(copy, options, random, clock, history);
    moments.begin(history);
    change();
    create();
    restoreMoments();
  }

  private void check() throws IOException {
    assertThat(backups.problems()).isEmpty();
    List<Generation> listed = backups.generations();
    assertThat(listed).isEqualTo(expected.values().stream().map(BackedUp::generation).toList());
    for (Generation each : listed) {
      assertThat(backups.verify(each.number(), BackupOptions.DEFAULTS)).isEmpty();
    }
    checked.assertForeignStays();
  }

  private Path linksOf(BackupOptions chosen) {
    String name = "." + tracked.folder().getFileName() + ".backup";
    return chosen.staging() == null ? tracked.folder().resolveSibling(name) : chosen.staging();
  }

  private void assertNothingUnfinished(BackupOptions chosen) throws IOException {
    assertThat(linksOf(chosen)).doesNotExist();
    checked.assertNothingUnfinished();
  }
}
