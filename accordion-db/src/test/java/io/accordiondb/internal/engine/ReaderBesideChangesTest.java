// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Checkpoint;
import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.Isolation;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogExtent;
import io.accordiondb.RecoveryMode;
import io.accordiondb.RestorePoint;
import io.accordiondb.TableDescriptor;
import io.accordiondb.Transaction;
import io.accordiondb.fixtures.TestThread;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.OpeningStorage;
import io.accordiondb.internal.storage.ReadingStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import io.accordiondb.internal.storage.StorageWriter;
import io.accordiondb.internal.storage.WrappingReader;
import io.accordiondb.internal.storage.WrappingStorage;
import io.accordiondb.internal.wal.LogFileNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readers of a folder while the folder, or the reader itself, changes at a chosen moment. */
@Timeout(60)
class ReaderBesideChangesTest {
  private static final String STORE = "s";

  /** Sound records stand in front of it and behind it. */
  private static final int DAMAGED_AT = 1_000;

  private final MemoryStorage disk = new MemoryStorage();

  private static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).logFileBytes(16 << 10);
  }

  private Database writer() throws IOException {
    return DatabaseEngine.open(disk, options().build());
  }

  private static DatabaseEngine reader(Storage storage) throws IOException {
    return (DatabaseEngine) DatabaseEngine.open(storage, options().readOnly(true).build());
  }

  @AfterEach
  void everyFileIsClosed() {
    assertThat(disk.openFiles()).isZero();
  }

  /** The writer uses up the numbers that the manifest had given out when the reader read it. */
  @Test
  void aCopyBesideAWriterThatTakesManyNumbersIsNoDamage() throws IOException {
    try (Database writer = writer()) {
      KeyValueStore store = writer.keyValueStore(STORE);
      AtomicInteger operationsBefore = new AtomicInteger(-1);
      AtomicInteger written = new AtomicInteger();
      OpeningStorage busy =
          new OpeningStorage(
              disk,
              operation -> {
                for (int i = 0; operationsBefore.get() == 0 && i < 80; i++) {
                  store.put(bytes("k"), bytes(Integer.toString(written.incrementAndGet())));
                  writer.flush();
                }
                operationsBefore.decrementAndGet();
              });
      store.put(bytes("k"), bytes("0"));
      try (DatabaseEngine reader = reader(busy)) {
        for (int before = 0; before < 12; before++) {
          int atLeast = written.get();
          operationsBefore.set(before);
          MemoryStorage copy = new MemoryStorage();
          reader.checkpoint(copy, LogExtent.NEEDED);
          try (Database copied = DatabaseEngine.open(copy, options().build())) {
            byte[] value = copied.keyValueStore(STORE).get(bytes("k"));
            assertThat(Integer.parseInt(new String(value, US_ASCII)))
                .isBetween(atLeast, written.get());
          }
        }
      }
    }
  }

  /** At each read of the log in turn, the writer fills a file and begins the prepared one. */
  @Test
  void aCopyBesideAWriterThatBeginsALogFileIsWhole() throws IOException {
    HeldCreation prepares = new HeldCreation(disk);
    try (Database writer = DatabaseEngine.open(prepares, options().build())) {
      KeyValueStore store = writer.keyValueStore(STORE);
      AtomicInteger readsBefore = new AtomicInteger(-1);
      ReadingStorage busy =
          new ReadingStorage(
              disk,
              "wal/",
              () -> {
                if (readsBefore.getAndDecrement() == 0) {
                  beginPrepared(store);
                }
              });
      try (DatabaseEngine reader = reader(busy)) {
        boolean begun = true;
        for (int before = 0; begun; before++) {
          // So that there are few files.
          writer.flush();
          fill(store);
          prepares.hold.lock();
          try {
            readsBefore.set(before);
            MemoryStorage copy = new MemoryStorage();
            reader.checkpoint(copy, LogExtent.NEEDED);
            begun = readsBefore.getAndSet(-1) < 0;
            for (RecoveryMode mode : RecoveryMode.values()) {
              DatabaseOptions options = options().recoveryMode(mode).readOnly(true).build();
              DatabaseEngine.open(copy, options).close();
            }
          } finally {
            prepares.hold.unlock();
          }
        }
      }
    }
  }

  /** The damage came after the reader had opened the folder. */
  @Test
  void aCopyOfADamagedLogIsRefused() throws IOException {
    try (Database writer = writer()) {
      KeyValueStore store = writer.keyValueStore(STORE);
      store.put(bytes("k"), bytes("0"));
      try (DatabaseEngine reader = reader(disk)) {
        String log = writeForced(store);
        disk.flip(log, DAMAGED_AT);
        MemoryStorage copy = new MemoryStorage();
        assertThatThrownBy(() -> reader.checkpoint(copy, LogExtent.NEEDED))
            .isInstanceOf(CorruptionException.class)
            .hasMessageContaining(log);
        assertThat(copy.exists("CURRENT")).isFalse();
      }
    }
  }

  /** The file behind it says where the sound part ends. */
  @Test
  void aCopyPassesOverDamageThatARecoveryHasLeftOut() throws IOException {
    String log;
    try (Database writer = writer()) {
      log = writeForced(writer.keyValueStore(STORE));
    }
    disk.flip(log, DAMAGED_AT);
    DatabaseOptions recovering = options().recoveryMode(RecoveryMode.POINT_IN_TIME).build();
    try (Database writer = DatabaseEngine.open(disk, recovering)) {
      writer.keyValueStore(STORE).put(bytes("later"), bytes("1"));
      MemoryStorage copy = new MemoryStorage();
      try (DatabaseEngine reader = reader(disk)) {
        assertThat(disk.exists(log)).isTrue();
        reader.checkpoint(copy, LogExtent.NEEDED);
      }
      try (Database copied = DatabaseEngine.open(copy, options().build())) {
        assertThat(copied.keyValueStore(STORE).get(bytes("later"))).isEqualTo(bytes("1"));
      }
    }
  }

  /** Forces some writes to the device; returns the name of the log file that has them. */
  private String writeForced(KeyValueStore store) throws IOException {
    for (int i = 0; i < 20; i++) {
      store.put(bytes("k"), new byte[100], Durability.FSYNC);
    }
    return LogFileNames.nameOf(newestLog().fileNumber());
  }

  /** As after the death of the writer, nothing but the file itself says that it has begun. */
  @Test
  void aRefreshShowsWhatIsInAPreparedLogFile() throws IOException {
    HeldCreation prepares = new HeldCreation(disk);
    try (Database writer = DatabaseEngine.open(prepares, options().build())) {
      KeyValueStore store = writer.keyValueStore(STORE);
      fill(store);
      byte[] tooLargeForTheFile = new byte[8 << 10];
      try (DatabaseEngine reader = reader(disk)) {
        assertThat(reader.refresh()).isFalse();
        prepares.hold.lock();
        try {
          store.put(bytes("k"), tooLargeForTheFile);
          assertThat(reader.refresh()).isTrue();
          assertThat(reader.keyValueStore(STORE).get(bytes("k"))).isEqualTo(tooLargeForTheFile);
          assertThat(reader.refresh()).isFalse();
        } finally {
          prepares.hold.unlock();
        }
      }
    }
  }

  /** Writes until the next log file is prepared. */
  private void fill(KeyValueStore store) throws IOException {
    store.put(bytes("k"), new byte[9 << 10]);
    store.put(bytes("k"), bytes("asks for it"));
    await("a prepared file", () -> newestLog().isPrepared());
  }

  private void beginPrepared(KeyValueStore store) throws IOException {
    String name = LogFileNames.nameOf(newestLog().fileNumber());
    while (ByteBuffer.wrap(disk.bytes(name)).getLong(RecordFileHeader.BYTES) == 0) {
      store.put(bytes("k"), new byte[1 << 10], Durability.FSYNC);
    }
  }

  private VersionEdit.AddLog newestLog() throws IOException {
    List<VersionEdit.AddLog> logs = List.copyOf(Manifest.read(disk).logs());
    return logs.get(logs.size() - 1);
  }

  /** Holds back the creation of log files by other threads. */
  private static final class HeldCreation extends WrappingStorage {
    final ReentrantLock hold = new ReentrantLock();

    HeldCreation(Storage delegate) {
      super(delegate);
    }

    @Override
    public StorageWriter createFilled(String name, long bytes) throws IOException {
      hold.lock();
      try {
        return delegate.createFilled(name, bytes);
      } finally {
        hold.unlock();
      }
    }
  }

  /** A transaction and a change of options run while the refresh closes the earlier state. */
  @Test
  void whileARefreshClosesWhatItReplacedTheReaderIsOpen() throws IOException {
    AtomicReference<IoRunnable> onClose = new AtomicReference<>();
    try (Database writer = writer()) {
      KeyValueStore store = writer.keyValueStore(STORE);
      store.put(bytes("k"), bytes("1"));
      writer.flush();
      try (DatabaseEngine reader = reader(new ClosingStorage(disk, onClose))) {
        assertThat(reader.keyValueStore(STORE).get(bytes("k"))).isEqualTo(bytes("1"));
        store.put(bytes("k"), bytes("2"));
        writer.majorCompact(STORE);
        List<Transaction> begun = new ArrayList<>();
        List<byte[]> found = new ArrayList<>();
        onClose.set(
            () -> {
              begun.add(reader.beginTransaction(Isolation.SNAPSHOT));
              found.add(
                  reader.transact(
                      Isolation.SNAPSHOT,
                      transaction -> transaction.keyValueStore(STORE).get(bytes("k"))));
              reader.reconfigure(options -> options.blockCacheBytes(1 << 20));
            });
        reader.refresh();
        assertThat(onClose.get()).as("not yet run").isNull();
        assertThat(found).containsExactly(bytes("2"));
        assertThat(reader.options().blockCacheBytes()).isEqualTo(1 << 20);
        store.put(bytes("k"), bytes("3"));
        reader.refresh();
        try (Transaction transaction = begun.get(0)) {
          assertThat(transaction.keyValueStore(STORE).get(bytes("k"))).isEqualTo(bytes("2"));
        }
      }
    }
  }

  /** Runs an action once, before a sorted table is closed. */
  private static final class ClosingStorage extends WrappingStorage {
    private final AtomicReference<IoRunnable> onClose;

    ClosingStorage(Storage delegate, AtomicReference<IoRunnable> onClose) {
      super(delegate);
      this.onClose = onClose;
    }

    @Override
    public StorageReader open(String name) throws IOException {
      StorageReader file = delegate.open(name);
      return !name.startsWith("sst/")
          ? file
          : new WrappingReader(file) {
            @Override
            public void close() throws IOException {
              delegate.close();
              IoRunnable action = onClose.getAndSet(null);
              if (action != null) {
                action.run();
              }
            }
          };
    }
  }

  /** At each file that a refresh opens in turn, another thread changes an option. */
  @Test
  void aChangeOfOptionsBesideARefreshIsNotLost() throws Exception {
    try (Database writer = writer()) {
      KeyValueStore store = writer.keyValueStore(STORE);
      AtomicInteger operationsBefore = new AtomicInteger(-1);
      AtomicReference<Database> reconfigured = new AtomicReference<>();
      AtomicReference<TestThread> change = new AtomicReference<>();
      OpeningStorage busy =
          new OpeningStorage(
              disk,
              operation -> {
                if (operationsBefore.getAndDecrement() == 0) {
                  change.set(reconfigure(reconfigured.get(), (operation + 1) << 20));
                }
              });
      try (Database reader = DatabaseEngine.open(busy, options().readOnly(true).build())) {
        reconfigured.set(reader);
        for (int before = 0; before < 12; before++) {
          store.put(bytes("k"), bytes("v" + before));
          int expected = (busy.operations() + before + 1) << 20;
          operationsBefore.set(before);
          assertThat(reader.refresh()).isTrue();
          change.get().join();
          assertThat(reader.options().blockCacheBytes()).isEqualTo(expected);
        }
      }
    }
  }

  /** Returns when the change has been made, or waits for the refresh to end. */
  private static TestThread reconfigure(Database reader, long blockCacheBytes) {
    TestThread changing =
        TestThread.start(
            "change",
            () -> reader.reconfigure(options -> options.blockCacheBytes(blockCacheBytes)));
    await("the change", () -> !changing.isRunning() || changing.isBlockedIn("reconfigure"));
    return changing;
  }

  /** The reader's memory is smaller than what it replays, so it does not need all of the log. */
  @Test
  void aReaderKeepsNoLogFilesThoughTheWriterDoes() throws IOException {
    DatabaseOptions kept = options().logRetention(Duration.ofDays(1)).build();
    DatabaseOptions large = kept.toBuilder().memoryBytes(64 << 20).build();
    try (Database writer = DatabaseEngine.open(disk, large)) {
      KeyValueStore store = writer.keyValueStore(STORE);
      for (int i = 0; i < 1200; i++) {
        store.put(bytes("k" + i), new byte[10 << 10]);
      }
      OpeningStorage observed = new OpeningStorage(disk, operation -> {});
      Database reader = DatabaseEngine.open(observed, kept.toBuilder().readOnly(true).build());
      int before = observed.operations();
      reader.close();
      assertThat(observed.operations()).isEqualTo(before);
    }
  }

  private DatabaseOptions timed(AtomicLong now, boolean readOnly) {
    return options()
        .logRetention(Duration.ofDays(1))
        .clock(() -> Instant.ofEpochMilli(now.get()))
        .readOnly(readOnly)
        .build();
  }

  @Test
  void theLogLeadsToTheTimeOfAReadersCopy() throws IOException {
    AtomicLong now = new AtomicLong(1_000_000);
    try (Database writer = DatabaseEngine.open(disk, timed(now, false))) {
      writer.keyValueStore(STORE).put(bytes("k"), bytes("1"));
      writer.createTable(TableDescriptor.of("noted", "f"));
      MemoryStorage copy = new MemoryStorage();
      MemoryStorage log = new MemoryStorage();
      Checkpoint copied;
      try (DatabaseEngine reader = (DatabaseEngine) DatabaseEngine.open(disk, timed(now, true))) {
        now.addAndGet(1_000);
        copied = reader.checkpoint(copy, LogExtent.NEEDED);
        reader.checkpoint(log, LogExtent.KEPT);
      }
      RestorePoint point = RestorePoint.time(copied.time());
      assertThat(CopyFollower.rollForward(copy, log, point, timed(now, false)))
          .isEqualTo(copied.sequence());
    }
  }

  /** The writer writes at any moment of the copying, and the time passes before and after. */
  @Test
  void aReadersCopyHoldsWhatWasWrittenUpToItsTime() throws IOException {
    AtomicLong now = new AtomicLong(1_000_000);
    try (Database writer = writer()) {
      // The copying looks there last.
      disk.createDirectories("kept");
      KeyValueStore store = writer.keyValueStore(STORE);
      AtomicInteger operationsBefore = new AtomicInteger(-1);
      OpeningStorage busy =
          new OpeningStorage(
              disk,
              operation -> {
                if (operationsBefore.getAndDecrement() == 0) {
                  now.addAndGet(1_000);
                  store.put(bytes("k"), ByteBuffer.allocate(Long.BYTES).putLong(now.get()).array());
                  now.addAndGet(1_000);
                }
              });
      try (DatabaseEngine reader = (DatabaseEngine) DatabaseEngine.open(busy, timed(now, true))) {
        for (int before = 0; before < 12; before++) {
          MemoryStorage copy = new MemoryStorage();
          operationsBefore.set(before);
          Checkpoint copied = reader.checkpoint(copy, LogExtent.KEPT);
          long newest = ByteBuffer.wrap(store.get(bytes("k"))).getLong();
          if (newest <= copied.time().toEpochMilli()) {
            try (Database opened = DatabaseEngine.open(copy, options().build())) {
              assertThat(ByteBuffer.wrap(opened.keyValueStore(STORE).get(bytes("k"))).getLong())
                  .isEqualTo(newest);
            }
          }
        }
      }
    }
  }
}
