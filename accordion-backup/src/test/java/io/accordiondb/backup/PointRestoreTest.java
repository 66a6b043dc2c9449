// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestFiles.filesBelow;
import static io.accordiondb.fixtures.TestFiles.flip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyProviders;
import io.accordiondb.KeyUnavailableException;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.RestorePoint;
import io.accordiondb.RestorePointException;
import io.accordiondb.Snapshot;
import io.accordiondb.fixtures.Mount;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database is restored to moments between its backups. */
@Tag("slow")
class PointRestoreTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

  @TempDir private Path folder;
  private final AtomicLong clock = new AtomicLong(NOON.toEpochMilli());
  private final List<Moment> moments = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(11);
  private Backups backups;
  private DatabaseOptions options;
  private int restorations;

  private record Moment(long sequence, Instant time, String contents) {}

  @BeforeEach
  void place() {
    backups = Backups.at(BackupTarget.folder(folder.resolve("backups")));
    options =
        DatabaseOptions.builder()
            .logFileBytes(16 << 10)
            .logRetention(Duration.ofDays(7))
            .durability(Durability.SYNC)
            .clock(() -> Instant.ofEpochMilli(clock.get()))
            .build();
  }

  private Database open(Path database) throws IOException {
    return Database.open(database, options);
  }

  /** Writes, flushes and empties, and remembers each moment. */
  private void write(Database database, int count) throws IOException {
    KeyValueStore store = database.keyValueStore("carts");
    for (int i = 0; i < count; i++) {
      clock.addAndGet(100);
      switch (random.nextInt(12)) {
        case 0 -> database.flush();
        case 1 -> database.truncateTable("carts");
        case 2 -> store.delete(key());
        default -> store.put(key(), new byte[random.nextInt(500)]);
      }
      remember(database);
    }
  }

  private byte[] key() {
    return ("key" + random.nextInt(30)).getBytes(UTF_8);
  }

  private void remember(Database database) throws IOException {
    try (Snapshot now = database.snapshot()) {
      moments.add(
          new Moment(
              now.sequenceNumber(), Instant.ofEpochMilli(clock.get()), contentsOf(database)));
    }
  }

  private static String contentsOf(Database database) throws IOException {
    TreeMap<String, Integer> contents = new TreeMap<>();
    try (KeyValueIterator all = database.keyValueStore("carts").range(null, null)) {
      all.forEachRemaining(
          entry -> contents.put(new String(entry.key(), UTF_8), entry.value().length));
    }
    return contents.toString();
  }

  private String restored(RestorePoint point) throws IOException {
    Path restored = folder.resolve("restored" + restorations++);
    backups.restore(point, restored, options, BackupOptions.DEFAULTS);
    assertThat(restored.resolve("restoring")).doesNotExist();
    try (Database database = open(restored)) {
      return contentsOf(database);
    }
  }

  @Test
  void everyMomentBetweenGenerationsIsRestored() throws IOException {
    try (Database database = open(folder.resolve("db"))) {
      write(database, 20);
      backups.create(database);
      moments.clear();
      remember(database);
      for (int i = 0; i < 3; i++) {
        write(database, 60);
        Generation made = backups.create(database);
        assertThat(made.checkpoint().sequence())
            .isGreaterThanOrEqualTo(moments.get(moments.size() - 1).sequence());
        assertThat(restored(RestorePoint.time(made.checkpoint().time())))
            .isEqualTo(contentsOf(database));
      }
    }
    for (int i = 0; i < moments.size(); i += 7) {
      Moment moment = moments.get(i);
      assertThat(restored(RestorePoint.sequence(moment.sequence())))
          .as(moment.toString())
          .isEqualTo(moment.contents());
    }
  }

  /** As the command makes them beside an application, which need not pause between its writes. */
  @Test
  void momentsBetweenBackupsThatAReaderHasMadeAreRestored() throws IOException {
    DatabaseOptions reading = options.toBuilder().readOnly(true).build();
    try (Database database = open(folder.resolve("db"))) {
      for (int i = 0; i < 3; i++) {
        Moment last;
        Generation made;
        do {
          // The log may note the time in between.
          write(database, 20);
          last = moments.get(moments.size() - 1);
          try (Database reader = Database.open(folder.resolve("db"), reading)) {
            made = backups.create(reader);
          }
        } while (made.checkpoint().sequence() != last.sequence());
        moments.subList(0, i == 0 ? moments.size() : 0).clear();
        long sequence = last.sequence();
        await("a note", () -> sequenceOf(database) > sequence);
      }
      write(database, 1);
      backups.create(database);
    }
    for (Moment moment : moments) {
      assertThat(restored(RestorePoint.sequence(moment.sequence())))
          .as(moment.toString())
          .isEqualTo(moment.contents());
    }
  }

  /** The last note is then in a log file that the database no longer needs. */
  @Test
  void aBackupThatAReaderHasMadeBetweenTwoNotesIsABeginning() throws IOException {
    DatabaseOptions reading = options.toBuilder().readOnly(true).build();
    int puts = 100;
    try (Database database = open(folder.resolve("db"))) {
      KeyValueStore store = database.keyValueStore("carts");
      long before;
      do {
        backups = Backups.at(BackupTarget.folder(folder.resolve("backups" + restorations++)));
        before = sequenceOf(database);
        for (int i = 1; i < puts; i++) {
          store.put(key(), new byte[500]);
        }
        database.flush();
        store.put(key(), new byte[1]);
        try (Database reader = Database.open(folder.resolve("db"), reading)) {
          backups.create(reader);
        }
        // Otherwise the time was noted in between.
      } while (sequenceOf(database) != before + puts);
      write(database, 5);
      backups.create(database);
    }
    for (Moment moment : moments) {
      RestorePoint point = RestorePoint.sequence(moment.sequence());
      assertThat(restored(point)).isEqualTo(moment.contents());
      Path unopened = folder.resolve("unopened" + restorations);
      backups.restore(point, unopened, options, BackupOptions.DEFAULTS);
      assertThat(unopened.resolve("kept")).doesNotExist();
    }
  }

  private static long sequenceOf(Database database) throws IOException {
    try (Snapshot now = database.snapshot()) {
      return now.sequenceNumber();
    }
  }

  /** The database is whole by then. The folder of a mount cannot be deleted. */
  @Test
  void aRestoreSucceedsThoughItsWorkCannotBeDeleted() throws Exception {
    restoreWhileBusy(place -> Mount.of("-t", "tmpfs", "tmpfs", place.toString()));
  }

  @Test
  void aRestoreSucceedsThoughItsWorkCannotBeListed() throws Exception {
    restoreWhileBusy(UnlistableFolder::mountAt);
  }

  private interface Mounter {
    Mount at(Path place) throws IOException, InterruptedException;
  }

  private void restoreWhileBusy(Mounter mounter) throws Exception {
    try (Database database = open(folder.resolve("db"))) {
      write(database, 20);
      backups.create(database);
      write(database, 20);
      backups.create(database);
    }
    Moment moment = moments.get(30);
    Path restored = folder.resolve("restored");
    Path busy = restored.resolve("restoring/log/busy");
    List<Mount> mounts = new ArrayList<>();
    BackupOptions options =
        BackupOptions.DEFAULTS.withProgress(
            (files, filesAll, bytes, bytesAll) -> {
              if (mounts.isEmpty()) {
                mounts.add(mountedAt(busy, mounter));
              }
            });
    try {
      RestorePoint point = RestorePoint.sequence(moment.sequence());
      assertThat(backups.restore(point, restored, this.options, options))
          .isEqualTo(moment.sequence());
    } finally {
      for (Mount mount : mounts) {
        mount.close();
      }
    }
    assertThat(busy).exists();
    try (Database database = open(restored)) {
      assertThat(contentsOf(database)).isEqualTo(moment.contents());
    }
  }

  private static Mount mountedAt(Path place, Mounter mounter) {
    try {
      Files.createDirectories(place);
      return mounter.at(place);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anEncryptedDatabaseIsRestoredWithItsKeys() throws IOException {
    Path keys = folder.resolve("keys");
    Files.writeString(keys, "first " + Base64.getEncoder().encodeToString(new byte[32]));
    options = options.toBuilder().encryption(KeyProviders.file(keys)).build();
    try (Database database = open(folder.resolve("db"))) {
      write(database, 20);
      backups.create(database);
      write(database, 20);
      backups.create(database);
    }
    Moment moment = moments.get(30);
    assertThat(restored(RestorePoint.sequence(moment.sequence()))).isEqualTo(moment.contents());
    Path without = folder.resolve("without");
    assertThatThrownBy(
            () ->
                backups.restore(
                    RestorePoint.sequence(moment.sequence()),
                    without,
                    DatabaseOptions.defaults(),
                    BackupOptions.DEFAULTS))
        .isInstanceOf(KeyUnavailableException.class);
    assertThat(without).doesNotExist();
  }

  /** Each generation has another key, or none; a restoration needs those of both. */
  @Test
  void aMomentBetweenGenerationsOfSeveralKeysNeedsThemAll() throws IOException {
    String one = "first " + Base64.getEncoder().encodeToString(new byte[32]) + "\n";
    String two = "second " + Base64.getEncoder().encodeToString(new byte[32]) + "\n";
    Path file = folder.resolve("keys");
    DatabaseOptions plain = options;
    Path path = folder.resolve("db");
    for (String keys : List.of("", one, one + two)) {
      if (!keys.isEmpty()) {
        Files.writeString(file, keys);
        options = plain.toBuilder().encryption(KeyProviders.file(file)).build();
      }
      try (Database database = open(path)) {
        write(database, 20);
        backups.create(database);
        write(database, 5);
      }
    }
    for (int each : List.of(30, 55)) {
      Moment moment = moments.get(each);
      assertThat(restored(RestorePoint.sequence(moment.sequence()))).isEqualTo(moment.contents());
    }
    Files.writeString(file, two);
    DatabaseOptions withdrawn = plain.toBuilder().encryption(KeyProviders.file(file)).build();
    for (DatabaseOptions lacking : List.of(plain, withdrawn)) {
      for (int each : List.of(30, 55)) {
        Path without = folder.resolve("without");
        RestorePoint point = RestorePoint.sequence(moments.get(each).sequence());
        assertThatThrownBy(() -> backups.restore(point, without, lacking, BackupOptions.DEFAULTS))
            .as("moment %d, %s", each, lacking.encryption())
            .isInstanceOf(KeyUnavailableException.class);
        assertThat(without).doesNotExist();
      }
    }
  }

  @Test
  void aGenerationItselfHasNoKeptLog() throws IOException {
    try (Database database = open(folder.resolve("db"))) {
      write(database, 100);
      database.flush();
      backups.create(database);
      Generation second = backups.create(database);
      assertThat(second.bytesAdded()).isLessThan(second.bytes() / 2);
    }
    backups.restore(2, folder.resolve("whole"));
    assertThat(folder.resolve("whole/kept")).doesNotExist();
    assertThat(backups.verify(2, BackupOptions.DEFAULTS)).isEmpty();
  }

  @Test
  void aRestoredDatabaseGoesOnWithBackupsInTheSamePlace() throws IOException {
    Path first = folder.resolve("db");
    try (Database database = open(first)) {
      write(database, 20);
      backups.create(database);
      write(database, 40);
      backups.create(database);
    }
    Moment abandoned = moments.get(50);
    Path second = folder.resolve("second");
    backups.restore(1, second);
    clock.addAndGet(60_000);
    try (Database database = open(second)) {
      moments.clear();
      write(database, 5);
      backups.create(database);
      moments.clear();
      remember(database);
      write(database, 10);
      backups.create(database);
    }
    for (Moment moment : List.of(moments.get(0), moments.get(5))) {
      assertThat(restored(RestorePoint.sequence(moment.sequence()))).isEqualTo(moment.contents());
    }
    assertThat(restored(RestorePoint.sequence(abandoned.sequence())))
        .isEqualTo(abandoned.contents());
  }

  @Test
  void momentsThatTheBackupsDoNotReachAreNamedAndNothingIsLeft() throws IOException {
    try (Database database = open(folder.resolve("db"))) {
      write(database, 20);
      backups.create(database);
      write(database, 20);
      backups.create(database);
    }
    Path target = folder.resolve("target");
    List<RestorePoint> points =
        List.of(
            RestorePoint.sequence(1),
            RestorePoint.sequence(1_000_000),
            RestorePoint.time(NOON),
            RestorePoint.time(NOON.plusSeconds(100)));
    for (RestorePoint point : points) {
      assertThatThrownBy(() -> backups.restore(point, target, options, BackupOptions.DEFAULTS))
          .isInstanceOf(RestorePointException.class)
          .hasMessageContaining("cannot restore to " + point)
          .hasMessageContaining("generation 1 has sequence number ");
      assertThat(target).doesNotExist();
    }
    Files.createDirectories(target);
    Files.writeString(target.resolve("mine"), "kept");
    RestorePoint reached = RestorePoint.sequence(moments.get(30).sequence());
    assertThatThrownBy(() -> backups.restore(reached, target, options, BackupOptions.DEFAULTS))
        .isInstanceOf(DirectoryNotEmptyException.class);
    assertThat(target.resolve("mine")).hasContent("kept");
  }

  @Test
  void whatAKilledRestoreHasLeftIsNamed() throws Exception {
    try (Database database = open(folder.resolve("db"))) {
      write(database, 20);
      backups.create(database);
    }
    Path target = folder.resolve("target");
    Path work = Files.createDirectories(target.resolve("restoring"));
    assertThatThrownBy(() -> backups.restore(1, target))
        .isInstanceOf(DirectoryNotEmptyException.class)
        .hasMessageContaining("holds what an interrupted restore has left")
        .hasMessageContaining("delete its contents");
    // Of a database that is whole, only the work is left.
    Files.delete(work);
    backups.restore(1, target);
    Files.createDirectory(work);
    assertThatThrownBy(() -> backups.restore(1, target))
        .isInstanceOf(DirectoryNotEmptyException.class)
        .hasMessageNotContaining("delete");
  }

  @Test
  void aDamagedLogIsNamedAndNothingIsLeft() throws IOException {
    try (Database database = open(folder.resolve("db"))) {
      write(database, 20);
      backups.create(database);
      write(database, 60);
      backups.create(database);
    }
    try (Stream<Path> objects = Files.list(folder.resolve("backups/files"))) {
      for (Path object : objects.toList()) {
        if (new String(Files.readAllBytes(object), UTF_8).contains("ACCORLOG")) {
          flip(object, Files.size(object) / 2);
        }
      }
    }
    Path target = folder.resolve("target");
    RestorePoint point = RestorePoint.sequence(moments.get(60).sequence());
    assertThatThrownBy(() -> backups.restore(point, target, options, BackupOptions.DEFAULTS))
        .isInstanceOf(BackupDamagedException.class);
    assertThat(target).doesNotExist();
  }

  @Test
  void aDamagedGenerationIsReplacedByAnEarlierOneAndMoreOfTheLog() throws IOException {
    Moment moment = writeFourGenerations();
    BackupTarget target = BackupTarget.folder(folder.resolve("backups"));
    for (FileEntry file : filesOfTheSecondAlone(target)) {
      flip(folder.resolve("backups").resolve(file.object()), file.bytes() / 2);
    }
    assertThatThrownBy(() -> backups.restore(2, folder.resolve("itself")))
        .isInstanceOf(BackupDamagedException.class);
    assertThat(restored(RestorePoint.sequence(moment.sequence()))).isEqualTo(moment.contents());
  }

  private static List<FileEntry> filesOfTheSecondAlone(BackupTarget target) throws IOException {
    Set<String> others = new HashSet<>();
    for (long other : new long[] {1, 3, 4}) {
      GenerationRecord.read(target, other).files().forEach(file -> others.add(file.object()));
    }
    return GenerationRecord.read(target, 2).files().stream()
        .filter(file -> !others.contains(file.object()))
        .toList();
  }

  @Test
  void aGenerationThatIsDeletedMeanwhileIsReplacedByAnEarlierOne() throws IOException {
    Moment moment = writeFourGenerations();
    BackupTarget target = BackupTarget.folder(folder.resolve("backups"));
    List<String> deleting =
        new ArrayList<>(filesOfTheSecondAlone(target).stream().map(FileEntry::object).toList());
    Backups all = backups;
    backups =
        Backups.at(
            new ForwardingTarget(target) {
              @Override
              public InputStream read(String name) throws IOException {
                if (deleting.contains(name)) {
                  deleting.clear();
                  all.delete(2);
                }
                return super.read(name);
              }
            });
    assertThat(restored(RestorePoint.sequence(moment.sequence()))).isEqualTo(moment.contents());
    assertThat(all.generations()).extracting(Generation::number).containsExactly(1L, 3L, 4L);
  }

  @Test
  void aDamagedLogIsReplacedByThatOfALaterGeneration() throws IOException {
    Moment moment = writeFourGenerations();
    BackupTarget target = BackupTarget.folder(folder.resolve("backups"));
    GenerationRecord third = GenerationRecord.read(target, 3);
    // As if it had an old log file that is lost, and that the fourth does not have any more.
    List<FileEntry> files = new ArrayList<>(third.files());
    files.add(new FileEntry("kept/000000000000-0.log", 1, "0".repeat(64), "0"));
    byte[] record =
        new GenerationRecord(3, third.created(), third.bytesAdded(), third.checkpoint(), files)
            .encode();
    target.write(GenerationRecord.objectOf(3), new ByteArrayInputStream(record), record.length);
    assertThat(backups.verify(3, BackupOptions.DEFAULTS)).isNotEmpty();
    assertThat(restored(RestorePoint.sequence(moment.sequence()))).isEqualTo(moment.contents());
  }

  /** Returns a moment between the second and the third. */
  @Test
  void whereALaterLogHasLostAPartATimeIsRestored() throws IOException {
    Path path = folder.resolve("db");
    Set<String> lost;
    Moment wanted;
    try (Database database = open(path)) {
      write(database, 100);
      backups.create(database);
      Set<String> before = logNumbers(path);
      write(database, 200);
      wanted = moments.get(moments.size() - 1);
      backups.create(database);
      lost = logNumbers(path);
      lost.removeAll(before);
      write(database, 200);
    }
    // As a repair puts damaged files of the kept log aside.
    for (Path file : filesBelow(path.resolve("kept"))) {
      if (lost.contains(logNumber(file))) {
        Files.delete(file);
      }
    }
    try (Database database = open(path)) {
      write(database, 20);
      backups.create(database);
    }
    assertThatThrownBy(() -> restored(RestorePoint.sequence(wanted.sequence)))
        .isInstanceOf(RestorePointException.class)
        .hasMessageContaining("or the later log has lost a part; restore to a time");
    assertThat(restored(RestorePoint.time(wanted.time))).isEqualTo(wanted.contents);
  }

  private static Set<String> logNumbers(Path database) throws IOException {
    Set<String> numbers = new HashSet<>();
    for (Path file : filesBelow(database)) {
      if (file.toString().endsWith(".log")) {
        numbers.add(logNumber(file));
      }
    }
    return numbers;
  }

  /** Returns the number of a log file, which it keeps when it is needless. */
  private static String logNumber(Path file) {
    return file.getFileName().toString().replaceAll("\\D.*", "");
  }

  private Moment writeFourGenerations() throws IOException {
    try (Database database = open(folder.resolve("db"))) {
      for (int i = 0; i < 4; i++) {
        write(database, 40);
        backups.create(database);
      }
    }
    return moments.get(100);
  }
}
