// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import static io.accordiondb.fixtures.TestFiles.deleteFolder;
import static io.accordiondb.fixtures.TestFiles.filesBelow;
import static io.accordiondb.fixtures.TestFiles.flip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.kafka.streams.internal.space.StoreOpening;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.LogCaptureAppender;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.CommitCallback;
import org.apache.kafka.streams.processor.StateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.internals.ProcessorStateManager;
import org.apache.kafka.streams.processor.internals.RunningStreamThread;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreSupplier;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.apache.kafka.test.InternalMockProcessorContext;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a store's state, and what Kafka Streams gets to see when something is wrong. */
class StoreStateTest {
  private static final String APPLICATION = "application";
  private static final String STORE = "store";

  @TempDir Path stateFolder;

  @Test
  void stateIsThereWhenTheStoreIsOpenedAgain() {
    KeyValueStore<Bytes, byte[]> store = open(task("0_0"));
    store.put(bytes("key"), "value".getBytes(UTF_8));
    store.flush();
    store.close();
    KeyValueStore<Bytes, byte[]> again = open(task("0_0"));
    assertThat(again.get(bytes("key"))).asString(UTF_8).isEqualTo("value");
    again.close();
  }

  @Test
  void tasksDoNotSeeEachOther() {
    KeyValueStore<Bytes, byte[]> one = open(task("0_0"));
    KeyValueStore<Bytes, byte[]> other = open(task("0_1"));
    one.put(bytes("key"), new byte[] {1});
    assertThat(other.get(bytes("key"))).isNull();
    assertThat(other.all().hasNext()).isFalse();
    one.close();
    other.close();
  }

  @Test
  void stateIsGoneWithTheTasksDirectory() throws IOException {
    KeyValueStore<Bytes, byte[]> store = open(task("0_0"));
    store.put(bytes("key"), new byte[1000]);
    store.close();
    deleteFolder(task("0_0"));
    // Another task has the database opened, which looks for what is gone.
    open(task("0_1")).close();
    assertThat(cells()).isZero();
    KeyValueStore<Bytes, byte[]> again = open(task("0_0"));
    assertThat(again.get(bytes("key"))).isNull();
    again.close();
  }

  private void writeCheckpoint() throws IOException {
    String changelog = ProcessorStateManager.storeChangelogTopic(APPLICATION, STORE, null);
    OffsetCheckpoint checkpoint = new OffsetCheckpoint(task("0_0").resolve(".checkpoint").toFile());
    checkpoint.write(Map.of(new TopicPartition(changelog, 0), 5L));
  }

  private WindowStore<Bytes, byte[]> windows(int retentionHours) {
    return AccordionStores.windowStore(
            STORE, Duration.ofHours(retentionHours), Duration.ofMinutes(1), false)
        .get();
  }

  /** What the store has kept lies in segments of another length. */
  @Test
  void taskIsCorruptedIfItsWindowsAreKeptForAnotherTime() throws IOException {
    StateStoreContext context = context(task("0_0"), Map.of());
    WindowStore<Bytes, byte[]> before = windows(2);
    before.init(context, before);
    before.put(bytes("key"), new byte[] {1}, 10_000_000);
    before.close();
    writeCheckpoint();
    WindowStore<Bytes, byte[]> same = windows(2);
    same.init(context, same);
    assertThat(same.fetch(bytes("key"), 10_000_000)).containsExactly(1);
    same.close();
    WindowStore<Bytes, byte[]> longer = windows(4);
    assertThatThrownBy(() -> longer.init(context, longer))
        .isInstanceOf(TaskCorruptedException.class);
    longer.init(context, longer);
    assertThat(longer.all().hasNext()).isFalse();
    longer.close();
  }

  /** It would take the first bytes of values for timestamps, or windows for sessions. */
  @Test
  void taskIsCorruptedIfItsStoreIsOfAnotherKind() throws IOException {
    Duration hours = Duration.ofHours(2);
    Duration minute = Duration.ofMinutes(1);
    List<StoreSupplier<?>> suppliers =
        List.of(
            AccordionStores.keyValueStore(STORE),
            AccordionStores.timestampedKeyValueStore(STORE),
            AccordionStores.keyValueStore(STORE),
            AccordionStores.windowStore(STORE, hours, minute, false),
            AccordionStores.timestampedWindowStore(STORE, hours, minute, false),
            AccordionStores.sessionStore(STORE, hours),
            AccordionStores.versionedKeyValueStore(STORE, hours, Duration.ofHours(1)));
    StateStoreContext context = context(task("0_0"), Map.of());
    StateStore first = suppliers.get(0).get();
    first.init(context, first);
    first.close();
    for (StoreSupplier<?> supplier : suppliers.subList(1, suppliers.size())) {
      writeCheckpoint();
      StateStore store = supplier.get();
      assertThatThrownBy(() -> store.init(context, store))
          .as("%s", supplier)
          .isInstanceOf(TaskCorruptedException.class);
      store.init(context, store);
      store.close();
      writeCheckpoint();
      StateStore same = supplier.get();
      same.init(context, same);
      same.close();
    }
  }

  @Test
  void taskIsCorruptedIfItsCheckpointExpectsStateThatIsGone() throws IOException {
    open(task("0_0")).close();
    deleteFolder(home().resolve("accordion"));
    StateStoreContext context = context(task("0_0"), Map.of());
    writeCheckpoint();
    KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(STORE).get();
    assertThatThrownBy(() -> store.init(context, store)).isInstanceOf(TaskCorruptedException.class);
    // Kafka Streams initializes the task again; without exactly-once it deletes nothing before.
    store.init(context, store);
    assertThat(store.all().hasNext()).isFalse();
    store.close();
  }

  @Test
  void taskIsCorruptedIfAFileIsDamagedAndBeginsAgain() throws Exception {
    KeyValueStore<Bytes, byte[]> store = open(task("0_0"));
    for (int i = 0; i < 10_000; i++) {
      store.put(bytes("key" + i), ("value" + i * 31).getBytes(UTF_8));
    }
    store.flush();
    store.close();
    damageLargestFile();
    KeyValueStore<Bytes, byte[]> damaged = open(task("0_0"));
    ThrowingCallable reads =
        () -> {
          for (int i = 0; i < 10_000; i++) {
            damaged.get(bytes("key" + i));
          }
        };
    // A query, or the thread that restores, could do nothing about a corrupted task.
    assertThatThrownBy(reads)
        .isInstanceOf(ProcessorStateException.class)
        .hasMessageContaining("damaged");
    assertThat(RunningStreamThread.failureOf(StoreContexts.of(task("0_1")), reads))
        .isInstanceOf(TaskCorruptedException.class);
    damaged.close();
    KeyValueStore<Bytes, byte[]> again = open(task("0_0"));
    assertThat(again.all().hasNext()).isFalse();
    again.put(bytes("key"), new byte[] {1});
    again.flush();
    assertThat(again.get(bytes("key"))).containsExactly(1);
    again.close();
    assertThat(home())
        .isDirectoryContaining(
            folder -> folder.getFileName().toString().startsWith("accordion.aside-"));
  }

  /** Another task's damage is enough: they share the database. */
  @Test
  void storeWithoutAChangelogSaysThatItsKeysAreGone() throws IOException {
    KeyValueStore<Bytes, byte[]> store = open(task("0_0"));
    store.put(bytes("key"), new byte[1]);
    store.close();
    Files.writeString(home().resolve("accordion.damaged"), "damage");
    try (LogCaptureAppender log = LogCaptureAppender.createAndRegister()) {
      for (String task : List.of("0_0", "0_1")) {
        KeyValueStore<Bytes, byte[]> again = open(task(task));
        assertThat(again.get(bytes("key"))).isNull();
        again.close();
      }
      assertThat(log.getMessages("ERROR"))
          .singleElement(STRING)
          .contains("Store " + STORE, "has no changelog", "accordion.aside-");
    }
  }

  @Test
  void databaseThatCannotBeOpenedForDamageIsBegunAgain() throws IOException {
    for (String damaged : List.of("accordion/MANIFEST", "accordion/sst")) {
      KeyValueStore<Bytes, byte[]> store = open(task("0_0"));
      store.put(bytes("key"), new byte[] {1});
      store.flush();
      store.close();
      for (Path file : filesBelow(home().resolve("accordion"))) {
        if (file.toString().contains(damaged)) {
          for (long offset = 0; offset < Files.size(file); offset += 10) {
            flip(file, offset);
          }
        }
      }
      KeyValueStore<Bytes, byte[]> again = open(task("0_0"));
      assertThat(again.get(bytes("key"))).as(damaged).isNull();
      again.close();
    }
    assertThat(home())
        .isDirectoryContaining(
            folder -> folder.getFileName().toString().startsWith("accordion.aside-"));
  }

  /** Kafka Streams reads the checkpoint of global stores before it opens them. */
  @Test
  void globalStoresOfADamagedDatabaseLeaveNoCheckpoint() throws IOException {
    for (boolean damaged : List.of(false, true)) {
      KeyValueStore<Bytes, byte[]> global = AccordionStores.keyValueStore(STORE).get();
      global.init(globalContext(), global);
      KeyValueStore<Bytes, byte[]> store = open(task("0_0"));
      Path globalCheckpoint = Files.write(task("global").resolve(".checkpoint"), new byte[0]);
      Path checkpoint = Files.write(task("0_0").resolve(".checkpoint"), new byte[0]);
      if (damaged) {
        Files.writeString(home().resolve("accordion.damaged"), "damage");
      }
      global.close();
      store.close();
      assertThat(Files.exists(globalCheckpoint)).isNotEqualTo(damaged);
      assertThat(checkpoint).exists();
      Files.delete(checkpoint);
    }
  }

  private StateStoreContext globalContext() {
    task("global").toFile().mkdirs();
    return new InternalMockProcessorContext<>(
        task("global").toFile(),
        Serdes.String(),
        Serdes.String(),
        new StreamsConfig(properties(Map.of()))) {
      @Override
      public TaskId taskId() {
        return new TaskId(-1, -1);
      }
    };
  }

  /** A global store or one without a changelog may have such a name. */
  @Test
  void nameOfAStoreMayHaveSlashesAndTildes() {
    StateStoreContext context = context(task("0_0"), Map.of());
    List<String> names = List.of("a/b", "a~", "a", "a/b/c", "a%2Fb", "a%b");
    for (String name : names) {
      KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(name).get();
      store.init(context, store);
      store.put(bytes("key"), name.getBytes(UTF_8));
      store.close();
    }
    for (String name : names) {
      KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(name).get();
      store.init(context, store);
      assertThat(store.get(bytes("key"))).as(name).asString(UTF_8).isEqualTo(name);
      store.close();
      // Its folder must exist when a position is written.
      assertThat(StoreOpening.positionFile(context, name)).hasParent(task("0_0").toFile());
    }
    assertThat(StoreOpening.positionFile(context, "a%b"))
        .as("the name of a store that was kept before")
        .hasName("a%b.position");
  }

  @Test
  void damagedDatabaseMayBeDeletedByHand() throws IOException {
    Files.createDirectories(home());
    Files.writeString(home().resolve("accordion.damaged"), "damage");
    open(task("0_0")).close();
    assertThat(home().resolve("accordion.damaged")).doesNotExist();
  }

  @Test
  void storeThatCannotBeRegisteredForAnErrorIsClosed() throws IOException {
    task("0_0").toFile().mkdirs();
    StateStoreContext context =
        new InternalMockProcessorContext<>(
            task("0_0").toFile(),
            Serdes.String(),
            Serdes.String(),
            new StreamsConfig(properties(Map.of()))) {
          @Override
          public void register(
              StateStore root, StateRestoreCallback restore, CommitCallback commit) {
            throw new OutOfMemoryError("injected");
          }
        };
    KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(STORE).get();
    assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> store.init(context, store));
    assertThat(store.isOpen()).isFalse();
    Database.open(home().resolve("accordion"), DatabaseOptions.defaults()).close();
  }

  @Test
  void expiredSegmentsAreDropped() throws IOException {
    long minute = 60_000;
    WindowStore<Bytes, byte[]> store =
        AccordionStores.windowStore(STORE, Duration.ofMinutes(4), Duration.ofMinutes(1), false)
            .get();
    store.init(context(task("0_0"), Map.of()), store);
    for (int i = 0; i < 100; i++) {
      store.put(bytes("key" + i), new byte[10], minute);
    }
    store.put(bytes("key"), new byte[10], 100 * minute);
    store.close();
    assertThat(cells()).isEqualTo(1);
  }

  /** A caller may expect the exception that {@link Stores} throws. */
  @Test
  void aDurationThatIsNullIsRefusedAsByKafka() {
    Duration hour = Duration.ofHours(1);
    List<ThrowingCallable> calls =
        List.of(
            () -> Stores.persistentWindowStore(STORE, null, hour, false),
            () -> AccordionStores.windowStore(STORE, null, hour, false),
            () -> AccordionStores.timestampedWindowStore(STORE, hour, null, false),
            () -> AccordionStores.sessionStore(STORE, null),
            () -> AccordionStores.versionedKeyValueStore(STORE, null),
            () -> AccordionStores.versionedKeyValueStore(STORE, hour, null));
    assertThat(calls)
        .allSatisfy(call -> assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class));
  }

  @Test
  void wrongBudgetIsRefused() {
    for (Object value : List.of("many", "-1", 1 << 20)) {
      assertThatThrownBy(() -> open(task("0_0"), Map.of(AccordionStoreConfig.MEMORY_BYTES, value)))
          .as(value.toString())
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(AccordionStoreConfig.MEMORY_BYTES);
    }
    assertThatThrownBy(() -> open(task("0_0"), Map.of(AccordionStoreConfig.LOG, "perhaps")))
        .isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> open(task("0_0"), Map.of(AccordionStoreConfig.MEMORY_BYTES, 1L << 45)))
        .isInstanceOf(ConfigException.class);
  }

  @Test
  void foreignFolderIsLeftAlone() throws IOException {
    Path folder = Files.createDirectories(home().resolve("accordion"));
    Files.writeString(folder.resolve("CURRENT"), "MANIFEST-000001");
    assertThatThrownBy(() -> open(task("0_0"))).isInstanceOf(ProcessorStateException.class);
    assertThat(folder.resolve("CURRENT")).hasContent("MANIFEST-000001");
  }

  @Test
  void folderOfAnotherProcessIsNotOpened() throws IOException {
    try (Database other = Database.open(Files.createDirectories(home()).resolve("accordion"))) {
      assertThatThrownBy(() -> open(task("0_0")))
          .isInstanceOf(ProcessorStateException.class)
          .hasMessageContaining("another process");
    }
    open(task("0_0")).close();
  }

  @Test
  void stateDirectoryThatIsNoneIsReported() throws IOException {
    Path context = task("0_0");
    Files.createFile(home());
    KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(STORE).get();
    assertThatThrownBy(() -> store.init(contextOf(context, Map.of()), store))
        .isInstanceOf(ProcessorStateException.class);
  }

  @Test
  void iteratorLeftOpenIsClosedAndReportedWithItsOrigin() {
    KeyValueStore<Bytes, byte[]> store =
        open(task("0_0"), Map.of(AccordionStoreConfig.LEAKS_ALWAYS, true));
    store.put(bytes("key"), new byte[1]);
    var iterator = store.all();
    try (LogCaptureAppender log = LogCaptureAppender.createAndRegister()) {
      store.close();
      assertThat(log.getEvents())
          .anySatisfy(
              event -> {
                assertThat(event.getMessage()).contains("left open");
                assertThat(event.getThrowableInfo()).get().asString().contains("StoreStateTest");
              });
    }
    assertThatThrownBy(iterator::hasNext).isInstanceOf(InvalidStateStoreException.class);
  }

  @Test
  void flushThatFailsIsReportedAndCanBeTriedAgain() throws IOException {
    KeyValueStore<Bytes, byte[]> store = open(task("0_0"));
    store.put(bytes("key"), new byte[] {1});
    Path files = home().resolve("accordion").resolve("sst");
    Path away = home().resolve("away");
    Files.move(files, away);
    // Kafka Streams then writes no checkpoint.
    assertThatThrownBy(store::flush).isInstanceOf(ProcessorStateException.class);
    Files.move(away, files);
    store.flush();
    store.close();
    KeyValueStore<Bytes, byte[]> again = open(task("0_0"));
    assertThat(again.get(bytes("key"))).containsExactly(1);
    again.close();
  }

  @Test
  void closedStoreRefuses() {
    KeyValueStore<Bytes, byte[]> store = open(task("0_0"));
    assertThat(store.approximateNumEntries()).isZero();
    store.close();
    assertThatThrownBy(store::approximateNumEntries).isInstanceOf(InvalidStateStoreException.class);
    assertThatThrownBy(() -> store.get(bytes("key")))
        .isInstanceOf(InvalidStateStoreException.class);
    assertThatThrownBy(() -> store.put(bytes("key"), new byte[1]))
        .isInstanceOf(InvalidStateStoreException.class);
    store.flush();
    store.close();
  }

  @Test
  void whatIsTooLongIsReportedAsKafkaExpects() {
    KeyValueStore<Bytes, byte[]> store =
        open(task("0_0"), Map.of(AccordionStoreConfig.MEMORY_BYTES, 16 << 20));
    Bytes tooLong = Bytes.wrap(new byte[Short.MAX_VALUE]);
    byte[] tooLarge = new byte[7 << 20];
    List<ThrowingCallable> calls =
        List.of(
            () -> store.put(tooLong, new byte[1]),
            () -> store.putIfAbsent(tooLong, new byte[1]),
            () -> store.putAll(List.of(KeyValue.pair(tooLong, new byte[1]))),
            () -> store.put(bytes("key"), tooLarge),
            () -> store.putAll(List.of(KeyValue.pair(bytes("key"), tooLarge))));
    assertThat(calls)
        .allSatisfy(
            call ->
                assertThatThrownBy(call)
                    .isInstanceOf(ProcessorStateException.class)
                    .hasMessageContaining(STORE)
                    .cause()
                    .hasMessageContaining("more than the limit"));
    store.close();
  }

  /** A record of a stream that no row of a table can match must not end a join of the two. */
  @Test
  void aKeyThatIsTooLongIsNotFound() {
    Bytes tooLong = Bytes.wrap(new byte[Short.MAX_VALUE]);
    KeyValueStore<Bytes, byte[]> store = open(task("0_0"));
    assertThat(store.get(tooLong)).isNull();
    assertThat(store.range(tooLong, tooLong).hasNext()).isFalse();
    store.close();
    WindowStore<Bytes, byte[]> windows = windows(2);
    windows.init(context(task("0_1"), Map.of()), windows);
    windows.put(bytes("key"), new byte[1], 10_000_000);
    assertThat(windows.fetch(tooLong, 10_000_000)).isNull();
    windows.close();
  }

  @Test
  void valueMayHaveAlmostThreeEighthsOfTheBudget() {
    KeyValueStore<Bytes, byte[]> store =
        open(task("0_0"), Map.of(AccordionStoreConfig.MEMORY_BYTES, 64 << 20));
    int length = (24 << 20) - 1000;
    store.put(bytes("key"), new byte[length]);
    store.flush();
    assertThat(store.get(bytes("key"))).hasSize(length);
    store.close();
  }

  /** Otherwise they would show the figures of a database that is closed. */
  @Test
  void ifOneMetricCannotBeRegisteredNoneIsLeft() {
    InternalMockProcessorContext<?, ?> context =
        (InternalMockProcessorContext<?, ?>) context(task("0_0"), Map.of());
    Metrics registry = context.metrics().metricsRegistry();
    Set<MetricName> before = Set.copyOf(registry.metrics().keySet());
    registry.addReporter(new BrokenReporter());
    KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(STORE).get();
    assertThatThrownBy(() -> store.init(context, store)).isInstanceOf(NoClassDefFoundError.class);
    assertThat(registry.metrics().keySet()).isEqualTo(before);
    assertThat(store.isOpen()).isFalse();
  }

  @Test
  void aStoreWhoseMetricsCannotBeRemovedIsClosed() throws IOException {
    InternalMockProcessorContext<?, ?> context =
        (InternalMockProcessorContext<?, ?>) context(task("0_0"), Map.of());
    BrokenReporter reporter = new BrokenReporter();
    reporter.breaksRemovals = true;
    context.metrics().metricsRegistry().addReporter(reporter);
    KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(STORE).get();
    store.init(context, store);
    assertThatThrownBy(store::close).isInstanceOf(NoClassDefFoundError.class);
    assertThat(store.isOpen()).isFalse();
    Database.open(home().resolve("accordion"), DatabaseOptions.defaults()).close();
  }

  /** A reporter of which a class is missing, as it finds out at the second metric of a store. */
  private static final class BrokenReporter implements MetricsReporter {
    private int storeMetrics;

    /** Whether it finds out when metrics are removed, not when they are added. */
    private boolean breaksRemovals;

    @Override
    public void metricChange(KafkaMetric metric) {
      if (!breaksRemovals) {
        count(metric);
      }
    }

    private void count(KafkaMetric metric) {
      if (metric.metricName().tags().containsValue(STORE) && ++storeMetrics == 2) {
        throw new NoClassDefFoundError("failed on demand");
      }
    }

    @Override
    public void init(List<KafkaMetric> metrics) {}

    @Override
    public void metricRemoval(KafkaMetric metric) {
      if (breaksRemovals) {
        count(metric);
      }
    }

    @Override
    public void configure(Map<String, ?> configs) {}

    @Override
    public void close() {}
  }

  private KeyValueStore<Bytes, byte[]> open(Path taskDirectory) {
    return open(taskDirectory, Map.of());
  }

  private KeyValueStore<Bytes, byte[]> open(Path taskDirectory, Map<String, Object> configs) {
    KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(STORE).get();
    store.init(context(taskDirectory, configs), store);
    return store;
  }

  private StateStoreContext context(Path taskDirectory, Map<String, Object> configs) {
    taskDirectory.toFile().mkdirs();
    return contextOf(taskDirectory, configs);
  }

  private static StateStoreContext contextOf(Path taskDirectory, Map<String, Object> configs) {
    return new InternalMockProcessorContext<>(
        taskDirectory.toFile(),
        Serdes.String(),
        Serdes.String(),
        new StreamsConfig(properties(configs)));
  }

  private static Properties properties(Map<String, Object> configs) {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
    properties.putAll(configs);
    return properties;
  }

  private Path home() {
    return stateFolder.resolve(APPLICATION);
  }

  private Path task(String id) {
    return home().resolve(id);
  }

  /** Returns how many cells of stores the closed database has. */
  private int cells() throws IOException {
    DatabaseOptions options = DatabaseOptions.builder().readOnly(true).build();
    int cells = 0;
    try (Database database = Database.open(home().resolve("accordion"), options);
        KeyValueIterator all = database.keyValueStore("cells").range(null, null)) {
      for (; all.hasNext(); all.next()) {
        cells++;
      }
    }
    return cells;
  }

  private void damageLargestFile() throws IOException {
    Path largest =
        filesBelow(home().resolve("accordion")).stream()
            .filter(file -> file.getParent().endsWith("sst"))
            .max(Comparator.comparing(file -> file.toFile().length()))
            .orElseThrow();
    for (long offset = 100; offset < Files.size(largest) / 2; offset += 1000) {
      flip(largest, offset);
    }
  }

  private static Bytes bytes(String text) {
    return Bytes.wrap(text.getBytes(UTF_8));
  }
}
