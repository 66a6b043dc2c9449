// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.fixtures.TestFiles.deleteFolder;
import static io.accordiondb.fixtures.TestFiles.filesBelow;
import static io.accordiondb.fixtures.TestFiles.flip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.fixtures.TestThread;
import io.accordiondb.kafka.streams.StoreContexts;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.test.InternalMockProcessorContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The database while several tasks have it open. */
class SharedDatabaseTest {
  private static final int KEYS = 1_000;
  private static final int VALUE_BYTES = 1_000;
  private static final int CLOSE_ROUNDS = 1_000;

  @TempDir Path stateFolder;

  /** Regions are flushed one by one, so a crash could leave a half of what belongs together. */
  @Test
  void hasOneRegionHoweverLargeItIs() throws IOException {
    Path home = stateFolder.resolve("application");
    TaskStore store = TestStores.open(home.resolve("0_0"));
    SharedDatabase shared = SharedDatabases.process().acquire(home, SpaceOptions.of(Map.of()));
    assertThat(shared.opened().database().options().regionSplitBytes()).isEqualTo(Long.MAX_VALUE);
    SharedDatabases.process().release(shared);
    store.close();
  }

  /** A long compaction would end the application, or lose records that its handler skips. */
  @Test
  void writesWaitAsLongAsKafkaLetsThem() throws IOException {
    Path home = stateFolder.resolve("application");
    SharedDatabase shared = SharedDatabases.process().acquire(home, SpaceOptions.of(Map.of()));
    assertThat(shared.opened().database().options().stallMax()).isEqualTo(Duration.ofHours(24));
    SharedDatabases.process().release(shared);
  }

  /** Thousands of metrics have one value each from the statistics of the whole database. */
  @Test
  void statisticsAreTakenOnceASecond() {
    TaskStore store = TestStores.open(stateFolder.resolve("application/0_0"));
    TaskStore other = TestStores.open(stateFolder.resolve("application/0_1"));
    await("the same reading", () -> store.statistics() == other.statistics());
    long bytes = store.statistics().writes().bytes();
    store.put(store.main(), new byte[1], new byte[VALUE_BYTES]);
    await("a later reading", () -> store.statistics().writes().bytes() > bytes);
    other.close();
    store.close();
  }

  /** Kafka Streams expects its own exceptions, and has the store initialized again. */
  @Test
  void damageWhereTheStoresAreRegisteredIsReportedAndBegunAgain() throws IOException {
    for (String row : List.of("g/0_0/store/%08d", "s/9_%08d/store")) {
      Path home = stateFolder.resolve("application" + row.charAt(0));
      TaskStore store = TestStores.open(home.resolve("0_0"));
      SharedDatabase shared = SharedDatabases.process().acquire(home, SpaceOptions.of(Map.of()));
      KeyValueStore rows = shared.opened().database().keyValueStore("spaces");
      Random random = new Random(7);
      for (int i = 0; i < KEYS; i++) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        rows.put(row.formatted(i).getBytes(UTF_8), value);
      }
      SharedDatabases.process().release(shared);
      store.close();
      Path largest =
          filesBelow(home.resolve("accordion/sst")).stream()
              .max(Comparator.comparing(file -> file.toFile().length()))
              .orElseThrow();
      flip(largest, Files.size(largest) / 2);
      assertThatExceptionOfType(ProcessorStateException.class)
          .as(row)
          .isThrownBy(() -> TestStores.open(home.resolve("0_0")))
          .withCauseInstanceOf(CorruptionException.class);
      TestStores.open(home.resolve("0_0")).close();
    }
  }

  /** A time is in another segment then, so what is known would be dropped or counted twice. */
  @Test
  void aStoreWithSegmentsOfAnotherLengthIsAnotherStore() {
    Path task = stateFolder.resolve("application/0_0");
    TaskStore store = TestStores.open(task, 60_000);
    store.segment(7);
    store.close();
    TaskStore same = TestStores.open(task, 60_000);
    assertThat(same.segments()).containsOnlyKeys(7L);
    same.close();
    TaskStore other = TestStores.open(task, 30_000);
    assertThat(other.segments()).isEmpty();
    other.segment(14);
    other.close();
    TaskStore none = TestStores.open(task, 0);
    assertThat(none.segments()).isEmpty();
    none.close();
  }

  /** What {@code docs/FORMATS.md} says, by hand. */
  @Test
  void aFolderThatWasKeptIsRead() throws IOException {
    String incarnation = "01234567-89ab-cdef-0123-456789abcdef/test/60000";
    Path home = stateFolder.resolve("application");
    try (Database database = Database.open(home.resolve("accordion"))) {
      KeyValueStore spaces = database.keyValueStore("spaces");
      spaces.put(bytes("s/0_0/store"), hex("00000080" + hex(bytes(incarnation))));
      spaces.put(hex(hex(bytes("g/0_0/store/")) + "8000000000000003"), hex("00000001"));
      spaces.put(bytes("n"), hex("00000100"));
      KeyValueStore cells = database.keyValueStore("cells");
      cells.put(hex("8000" + hex(bytes("key"))), bytes("own"));
      cells.put(hex("01" + hex(bytes("key"))), bytes("segment"));
    }
    Path marker = home.resolve("0_0/accordion/store");
    Files.createDirectories(marker.getParent());
    Files.writeString(marker, incarnation);
    TaskStore store = TestStores.open(home.resolve("0_0"), 60_000);
    assertThat(store.get(store.main(), bytes("key"))).isEqualTo(bytes("own"));
    assertThat(store.segments()).containsOnlyKeys(3L);
    assertThat(store.get(store.segment(3), bytes("key"))).isEqualTo(bytes("segment"));
    assertThat(store.segment(4).number()).isEqualTo(0x100);
    store.close();
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** The first stores say their segments alone. They keep their keys. */
  @Test
  void aStoreThatDoesNotSayItsKindIsOfAnyKind() throws IOException {
    Path home = stateFolder.resolve("application");
    for (long segmentMillis : new long[] {0, 60_000}) {
      Path task = home.resolve("0_" + segmentMillis);
      TaskStore store = TestStores.open(task, segmentMillis);
      store.put(store.main(), new byte[1], new byte[1]);
      Path marker = task.resolve("accordion/store");
      String incarnation = Files.readString(marker).replace("/test", "");
      SharedDatabase shared = SharedDatabases.process().acquire(home, SpaceOptions.of(Map.of()));
      byte[] name = incarnation.getBytes(UTF_8);
      shared
          .opened()
          .database()
          .keyValueStore("spaces")
          .put(
              ("s/0_" + segmentMillis + "/store").getBytes(UTF_8),
              ByteBuffer.allocate(Integer.BYTES + name.length)
                  .putInt(store.main().number())
                  .put(name)
                  .array());
      Files.writeString(marker, incarnation);
      SharedDatabases.process().release(shared);
      store.close();
      TaskStore same = TestStores.open(task, segmentMillis);
      assertThat(same.get(same.main(), new byte[1])).containsExactly(0);
      same.close();
      TaskStore other = TestStores.open(task, 30_000);
      assertThat(other.get(other.main(), new byte[1])).isNull();
      other.close();
    }
  }

  /** A conversion may take minutes. */
  @Test
  void otherStoresAreOpenedAndClosedWhileOneIsConverted() throws Exception {
    Path home = stateFolder.resolve("application");
    FormerState former =
        new FormerState() {
          @Override
          public boolean exists(Path taskDirectory) {
            return true;
          }

          @Override
          public void copy(Path taskDirectory, TaskStore target) throws IOException {
            target.put(target.main(), new byte[1], new byte[1]);
            SharedDatabase shared =
                SharedDatabases.process().acquire(home, SpaceOptions.of(Map.of()));
            // Nobody may drop what has been converted.
            shared.sweep();
            SharedDatabases.process().release(shared);
            TestThread other =
                TestThread.start("other", () -> TestStores.open(home.resolve("0_1")).close());
            assertThatCode(other::join).doesNotThrowAnyException();
            assertThatExceptionOfType(ProcessorStateException.class)
                .isThrownBy(() -> TestStores.open(home.resolve("0_0")))
                .withStackTraceContaining("being filled");
          }
        };
    StoreFormat format = new StoreFormat("test", 0);
    TaskStore converted = TestStores.open(converting(home.resolve("0_0")), format, former);
    assertThat(converted.get(converted.main(), new byte[1])).containsExactly(0);
    converted.close();
    TaskStore again = TestStores.open(home.resolve("0_0"));
    assertThat(again.get(again.main(), new byte[1])).containsExactly(0);
    again.close();
  }

  private static StateStoreContext converting(Path task) {
    InternalMockProcessorContext<?, ?> context = StoreContexts.of(task);
    Map<String, Object> configs = new HashMap<>(context.appConfigs());
    configs.put(SpaceOptions.CONVERT_ROCKSDB_NAME, true);
    return new InternalMockProcessorContext<>(
        context.stateDir(), Serdes.String(), Serdes.String(), new StreamsConfig(configs));
  }

  /** After an error, such as one for want of memory, nobody could close the database. */
  @Test
  void databaseThatCannotBeOpenedForAnErrorIsClosed() throws IOException {
    Path home = stateFolder.resolve("application");
    TestStores.open(home.resolve("0_0")).close();
    Path marker = home.resolve("0_0/accordion/store");
    String incarnation = Files.readString(marker);
    try (FileChannel sparse = FileChannel.open(marker, StandardOpenOption.WRITE)) {
      sparse.write(ByteBuffer.allocate(1), 1L << 32); // More than an array can have.
    }
    assertThatExceptionOfType(OutOfMemoryError.class)
        .isThrownBy(() -> TestStores.open(home.resolve("0_1")));
    Files.writeString(marker, incarnation);
    TestStores.open(home.resolve("0_1")).close();
  }

  /** Each opening reads the files of all stores. */
  @Test
  void aDamagedMarkerOrNoteKeepsNoStoreFromBeingOpened() throws IOException {
    Path home = stateFolder.resolve("application");
    TestStores.open(home.resolve("0_0")).close();
    byte[] noText = {(byte) 0xc3, 1};
    Files.write(home.resolve("0_0/accordion/store"), noText);
    TestStores.open(home.resolve("0_1")).close();
    Files.write(home.resolve("accordion.damaged"), noText);
    TestStores.open(home.resolve("0_1")).close();
    assertThat(home.resolve("accordion.damaged")).doesNotExist();
  }

  /** An executor does not repeat what has thrown. */
  @Test
  void periodicWorkIsRepeatedAfterAnError() {
    AtomicInteger runs = new AtomicInteger();
    SharedDatabase.runQuietly(
        stateFolder,
        () -> {
          runs.incrementAndGet();
          throw new NoClassDefFoundError("injected");
        });
    assertThat(runs).hasValue(1);
  }

  /** The next opening finds the folder neither locked nor in use. */
  @Test
  void databaseThatCannotBeRememberedIsClosed() throws Exception {
    Path home = stateFolder.resolve("application");
    Field holdings = SharedDatabases.class.getDeclaredField("holdings");
    holdings.setAccessible(true);
    Object original = holdings.get(SharedDatabases.process());
    holdings.set(SharedDatabases.process(), new FullMap());
    try {
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(() -> SharedDatabases.process().acquire(home, SpaceOptions.of(Map.of())));
    } finally {
      holdings.set(SharedDatabases.process(), original);
    }
    TestStores.open(home.resolve("0_0")).close();
  }

  /** A map for which there is no memory. */
  private static final class FullMap extends HashMap<Path, Object> {
    private static final long serialVersionUID = 1;

    @Override
    public Object put(Path key, Object value) {
      throw new OutOfMemoryError("injected");
    }
  }

  /**
   * The keys of all tasks are in the same sorted tables, and those of others live on both sides.
   */
  @Test
  void diskSpaceOfATaskWhoseDirectoryIsDeletedComesBackBesideOthers() throws IOException {
    Path home = stateFolder.resolve("application");
    List<TaskStore> stores =
        List.of(
            TestStores.open(home.resolve("0_0")),
            TestStores.open(home.resolve("0_1")),
            TestStores.open(home.resolve("0_2")));
    Random random = new Random(1);
    byte[] value = new byte[VALUE_BYTES];
    for (int i = 0; i < KEYS; i++) {
      byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(i).array();
      for (TaskStore store : stores) {
        random.nextBytes(value);
        if (store == stores.get(1) || i % 10 == 0) {
          store.put(store.main(), key, value);
        }
      }
    }
    TaskStore kept = stores.get(0);
    kept.flush();
    stores.get(1).close();
    deleteFolder(home.resolve("0_1"));
    SharedDatabase shared = SharedDatabases.process().acquire(home, SpaceOptions.of(Map.of()));
    shared.sweep();
    kept.put(kept.main(), new byte[1], new byte[1]);
    kept.flush();
    await(
        "disk space",
        () -> kept.statistics().files().bytes(),
        bytes -> bytes < VALUE_BYTES * KEYS / 2);
    SharedDatabases.process().release(shared);
    kept.close();
    stores.get(2).close();
  }

  @Test
  void taskWhoseDirectoryIsDeletedLeavesNothing() throws IOException {
    Path home = stateFolder.resolve("application");
    TaskStore kept = TestStores.open(home.resolve("0_0"));
    TaskStore deleted = TestStores.open(home.resolve("0_1"));
    KeySpace segment = deleted.segment(7);
    for (int i = 0; i < KEYS; i++) {
      byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(i).array();
      deleted.put(deleted.main(), key, new byte[VALUE_BYTES]);
      deleted.put(segment, key, new byte[VALUE_BYTES]);
    }
    deleted.close();
    deleteFolder(home.resolve("0_1"));
    SharedDatabase shared = SharedDatabases.process().acquire(home, SpaceOptions.of(Map.of()));
    shared.sweep();
    assertThat(shared.opened().registry().paths()).containsExactly("0_0/store");
    try (KeyValueIterator cells = shared.opened().cells().range(null, null)) {
      assertThat(cells.hasNext()).isFalse();
    }
    kept.put(kept.main(), new byte[1], new byte[1]);
    kept.flush();
    assertThat(kept.statistics().memory().cells()).isZero();
    assertThat(kept.statistics().files().bytes()).isLessThan(VALUE_BYTES * KEYS / 10);
    SharedDatabases.process().release(shared);
    kept.close();
  }

  /** A query may skip millions of keys. The thread of the task does not wait for its end. */
  @Test
  void storeIsClosedWhileAnIteratorSkipsKeys() throws Exception {
    TaskStore store = TestStores.open(stateFolder.resolve("application/0_0"));
    for (int i = 0; i < KEYS; i++) {
      store.put(store.main(), ByteBuffer.allocate(Integer.BYTES).putInt(i).array(), new byte[1]);
    }
    AtomicInteger skipped = new AtomicInteger();
    AtomicReference<TestThread> closer = new AtomicReference<>();
    KeyFilter filter =
        key -> {
          if (skipped.getAndIncrement() == 0) {
            closer.set(TestThread.start("closer", store::close));
          }
          closer.get().endsBeforeItIsBlockedIn("close");
          return false;
        };
    var iterator = store.iterator(List.of(store.main().range(null, null)), true, filter);
    assertThatExceptionOfType(InvalidStateStoreException.class).isThrownBy(iterator::hasNext);
    closer.get().join();
    assertThat(skipped).hasValueLessThan(KEYS);
  }

  /** The database is closed when its last user has released it. */
  @Test
  void storeThatTwoThreadsCloseReleasesTheDatabaseOnce() throws Exception {
    Path home = stateFolder.resolve("application");
    TaskStore other = TestStores.open(home.resolve("0_0"));
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < CLOSE_ROUNDS; round++) {
        TaskStore store = TestStores.open(home.resolve("0_1"));
        AtomicInteger ready = new AtomicInteger();
        Callable<Void> close =
            () -> {
              ready.incrementAndGet();
              while (ready.get() < 2) {
                Thread.onSpinWait();
              }
              store.close();
              return null;
            };
        for (Future<Void> closed : threads.invokeAll(List.of(close, close))) {
          closed.get();
        }
        assertThat(other.get(other.main(), new byte[1])).as("round %d", round).isNull();
      }
    } finally {
      threads.shutdownNow();
      other.close();
    }
  }
}
