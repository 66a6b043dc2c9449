// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseFailedException;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.OtherKeys;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.WrappingStorage;
import io.accordiondb.statistics.HealthStatistics;
import io.accordiondb.statistics.WriteState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A failed force of the log leaves pages that can be read and will never be written. What is
 * acknowledged after the next opening must survive a loss of power, with all that was before it.
 */
class FailedForceTest {
  private static final int CRASHES = 16;

  /** How the log is written. */
  private enum Log {
    PLAIN(builder(LogWriting.PLAIN)),
    MAPPED(builder(LogWriting.MAPPED)),
    ENCRYPTED(builder(LogWriting.PLAIN).encryption(new OtherKeys()));

    private final DatabaseOptions options;

    Log(DatabaseOptions.Builder builder) {
      options = builder.build();
    }

    private static DatabaseOptions.Builder builder(LogWriting writing) {
      return DatabaseOptions.builder()
          .memoryBytes(4 << 20)
          .logFileBytes(64 << 10)
          .logWriting(writing);
    }
  }

  private static Database open(Storage storage, Log log) throws IOException {
    return DatabaseEngine.open(storage, log.options);
  }

  private static void put(Database database, String key, Durability durability) throws IOException {
    database.keyValueStore("s").put(bytes(key), bytes("value of " + key), durability);
  }

  @ParameterizedTest
  @EnumSource
  void inAWriteToTheLog(Log log) throws IOException {
    failInAWrite(log, false, false);
  }

  /** The device works again when the database is closed. */
  @ParameterizedTest
  @EnumSource
  void inAWriteToTheLogThatCouldNotBeNotedAtOnce(Log log) throws IOException {
    failInAWrite(log, true, false);
  }

  /** The device works again when the same process opens the database once more. */
  @ParameterizedTest
  @EnumSource
  void inAWriteToTheLogThatClosingCouldNotNoteEither(Log log) throws IOException {
    failInAWrite(log, true, true);
  }

  private static void failInAWrite(
      Log log, boolean refusesNotes, boolean refusesThemUntilTheNextOpening) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    ForgetfulStorage storage = new ForgetfulStorage(disk);
    Database failing = open(storage, log);
    put(failing, "forced", Durability.FSYNC);
    put(failing, "logged", Durability.SYNC);
    assertThat(failing.statistics().health()).isEqualTo(HealthStatistics.GOOD);
    storage.failNextForce();
    storage.setRefusesNotes(refusesNotes);
    assertThatThrownBy(() -> put(failing, "failed", Durability.FSYNC))
        .isInstanceOf(DatabaseFailedException.class);
    HealthStatistics health = failing.statistics().health();
    assertThat(health.writes()).isEqualTo(WriteState.FAILED);
    assertThat(health.reason()).isNotBlank();
    storage.setRefusesNotes(refusesThemUntilTheNextOpening);
    assertThatThrownBy(failing::close).isInstanceOf(DatabaseFailedException.class);
    // The process may end here.
    assertThat(disk.exists("wal/unforced")).isEqualTo(!refusesThemUntilTheNextOpening);
    storage.setRefusesNotes(false);
    assertSurvives(disk, storage, log);
  }

  /** The process was killed, and the operating system failed to write its pages. */
  @ParameterizedTest
  @EnumSource
  void inTheNextOpening(Log log) throws IOException {
    failInTheNextOpening(log, false);
  }

  /** The device works again when the same process opens the database once more. */
  @ParameterizedTest
  @EnumSource
  void inTheNextOpeningThatCouldNotNoteIt(Log log) throws IOException {
    failInTheNextOpening(log, true);
  }

  private static void failInTheNextOpening(Log log, boolean refusesNotes) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    Database killed = open(disk, log);
    put(killed, "forced", Durability.FSYNC);
    put(killed, "logged", Durability.SYNC);
    MemoryStorage left = disk.copy();
    killed.close();
    ForgetfulStorage storage = new ForgetfulStorage(left);
    storage.failNextForce();
    storage.setRefusesNotes(refusesNotes);
    assertThatIOException().isThrownBy(() -> open(storage, log));
    assertThat(storage.isToFail()).isFalse();
    storage.setRefusesNotes(false);
    assertSurvives(left, storage, log);
  }

  /** The process may end before the log is written again. */
  @Test
  void isNotedBeforeTheProcessOpensTheDatabaseAgain() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    open(disk, Log.PLAIN).close();
    ForgetfulStorage storage = new ForgetfulStorage(disk);
    storage.failNextForce();
    storage.setRefusesNotes(true);
    for (int i = 0; i < 2; i++) {
      assertThatIOException().isThrownBy(() -> open(storage, Log.PLAIN));
    }
    storage.setRefusesNotes(false);
    open(storage, Log.PLAIN).close();
  }

  /** The folder must say that the force has failed, even if nothing can be encrypted then. */
  @Test
  void whileNoKeyCanBeWrapped() throws IOException {
    AtomicBoolean failing = new AtomicBoolean();
    OtherKeys keys =
        new OtherKeys() {
          @Override
          public byte[] wrap(String keyId, byte[] dataKey) throws IOException {
            if (failing.get()) {
              throw new IOException("the service does not answer");
            }
            return super.wrap(keyId, dataKey);
          }
        };
    MemoryStorage disk = new MemoryStorage();
    ForgetfulStorage storage = new ForgetfulStorage(disk);
    Database database =
        DatabaseEngine.open(storage, Log.builder(LogWriting.PLAIN).encryption(keys).build());
    put(database, "forced", Durability.FSYNC);
    put(database, "logged", Durability.SYNC);
    failing.set(true);
    storage.failNextForce();
    assertThatThrownBy(() -> put(database, "failed", Durability.FSYNC))
        .isInstanceOf(DatabaseFailedException.class);
    assertThatThrownBy(database::close).isInstanceOf(DatabaseFailedException.class);
    assertSurvives(disk, storage, Log.ENCRYPTED);
  }

  /** The note that the force has failed was not durable, but the copy of a file was. */
  @Test
  void aCopyThatALossOfPowerHasLeftIsDeleted() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    open(disk, Log.PLAIN).close();
    disk.create("wal/unforced.tmp").close();
    open(disk, Log.PLAIN).close();
    assertThat(disk.exists("wal/unforced.tmp")).isFalse();
  }

  /** Windows does not tell which file a name stands for. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFileThatCouldNotBeForcedIsCopiedWhenItIsIngestedAgain(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("sorted");
    try (SortedFileWriter writer = SortedFileWriter.create(file, FamilyDescriptor.of("f"))) {
      writer.add(bytes("row"), bytes("q"), 1, bytes("value"));
      writer.finish();
    }
    UnforcedTables storage = new UnforcedTables();
    try (Database database = open(storage, Log.PLAIN)) {
      database.createTable(TableDescriptor.of("t", "f"));
      assertThatIOException()
          .isThrownBy(() -> database.ingest("t", "f", List.of(file)))
          .withMessageContaining("cannot write the pages");
      Path link = Files.createLink(folder.resolve("link"), file);
      for (Path again : List.of(file, link)) {
        database.ingest("t", "f", List.of(again));
      }
      assertThat(database.table("t").get(new Get(bytes("row"))).isEmpty()).isFalse();
    }
    assertThat(storage.forces).as("another force of the same pages would do nothing").hasValue(1);
  }

  /** Fails to force sorted tables that it has not written itself. */
  private static final class UnforcedTables extends WrappingStorage {
    private final AtomicInteger forces = new AtomicInteger();

    UnforcedTables() {
      super(new MemoryStorage());
    }

    @Override
    public void sync(String name) throws IOException {
      if (name.startsWith("sst/")) {
        forces.incrementAndGet();
        throw new IOException("cannot write the pages of " + name);
      }
      super.sync(name);
    }
  }

  private static void assertSurvives(MemoryStorage disk, ForgetfulStorage storage, Log log)
      throws IOException {
    try (Database again = open(storage, log)) {
      assertHolds(again, "forced", "logged");
      put(again, "later", Durability.FSYNC);
      for (int seed = 0; seed < CRASHES; seed++) {
        try (Database left = open(disk.crash(new SplittableRandom(seed)), log)) {
          assertHolds(left, "forced", "logged", "later");
        } catch (IOException e) {
          throw new AssertionError("a loss of power has damaged the log", e);
        }
      }
    }
  }

  private static void assertHolds(Database database, String... keys) throws IOException {
    KeyValueStore store = database.keyValueStore("s");
    for (String key : keys) {
      assertThat(store.get(bytes(key))).as(key).isEqualTo(bytes("value of " + key));
    }
  }
}
