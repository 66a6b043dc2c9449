// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import static io.accordiondb.fixtures.TestFiles.deleteFolder;
import static io.accordiondb.fixtures.TestFiles.flip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.kafka.streams.AccordionStoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.internals.StateDirectory;
import org.apache.kafka.streams.processor.internals.metrics.StreamsMetricsImpl;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store begins with what Kafka's RocksDB store has left in the directory of its task. */
@Tag("slow")
class ConvertedStoreTest {
  private static final TaskId TASK = new TaskId(0, 0);
  private static final String APPLICATION = "application";
  private static final String CHANGELOG = "changelog";

  @TempDir Path folder;

  private final long seed = System.nanoTime();
  private final Metrics registry = new Metrics();
  private StateDirectory directory;
  private boolean converts = true;
  private boolean logged = true;

  @BeforeEach
  void createDirectory() throws IOException {
    directory = new StateDirectory(config(), Time.SYSTEM, true, false);
    directory.initializeProcessId();
    writeCheckpoint();
  }

  @AfterEach
  void close() {
    directory.close();
    registry.close();
  }

  @ParameterizedTest
  @EnumSource
  void hasWhatTheFormerOneHad(StoreKind kind) throws IOException {
    StateStore rocks = open(kind.rocksDb());
    kind.write(rocks, seed, 500);
    rocks.flush();
    Map<String, String> files = rocksDbFiles();
    StateStore store = open(kind.accordion());
    assertThat(kind.contents(store)).as("seed " + seed).isEqualTo(kind.contents(rocks));
    assertThat(rocksDbFiles()).isEqualTo(files);
    kind.write(rocks, seed + 1, 200);
    kind.write(store, seed + 1, 200);
    assertThat(kind.contents(store)).as("seed " + seed).isEqualTo(kind.contents(rocks));
    for (int round = 0; round < 10; round++) {
      kind.writeLong(rocks, seed + round, 300);
      kind.writeLong(store, seed + round, 300);
      assertThat(kind.answers(store, seed + round, 200))
          .as("seed " + seed)
          .isEqualTo(kind.answers(rocks, seed + round, 200));
    }
    rocks.close();
    store.close();
  }

  @Test
  void valuesWithoutTimestampsGetTheUnknownOne() {
    StateStore rocks = open(StoreKind.KEY_VALUE.rocksDb());
    StoreKind.KEY_VALUE.write(rocks, seed, 10);
    rocks.close();
    StateStore store = open(StoreKind.TIMESTAMPED_KEY_VALUE.accordion());
    assertThat(StoreKind.TIMESTAMPED_KEY_VALUE.contents(store))
        .isNotEmpty()
        .allMatch(entry -> entry.contains("=ffffffffffffffff"));
    store.close();
  }

  @Test
  void storeWithTimestampsIsNoneWithout() {
    writeRocksDb(StoreKind.TIMESTAMPED_KEY_VALUE);
    assertThatThrownBy(() -> open(StoreKind.KEY_VALUE.accordion()))
        .isInstanceOf(ProcessorStateException.class)
        .cause()
        .hasMessageContaining("has timestamps");
  }

  @Test
  void isConvertedOnce() {
    writeRocksDb(StoreKind.KEY_VALUE);
    StateStore store = open(StoreKind.KEY_VALUE.accordion());
    StoreKind.KEY_VALUE.write(store, seed + 1, 500);
    var written = StoreKind.KEY_VALUE.contents(store);
    store.flush();
    store.close();
    StateStore again = open(StoreKind.KEY_VALUE.accordion());
    assertThat(StoreKind.KEY_VALUE.contents(again)).isEqualTo(written);
    again.close();
  }

  @Test
  void isNotConvertedAgainWhereTheDatabaseIsGone() throws IOException {
    writeRocksDb(StoreKind.KEY_VALUE);
    StateStore store = open(StoreKind.KEY_VALUE.accordion());
    StoreKind.KEY_VALUE.write(store, seed + 1, 500);
    store.flush();
    store.close();
    deleteFolder(taskFolder().resolveSibling("accordion"));
    assertThatThrownBy(() -> open(StoreKind.KEY_VALUE.accordion()))
        .isInstanceOf(TaskCorruptedException.class);
  }

  @Test
  void isNotConvertedUnlessConfigured() {
    writeRocksDb(StoreKind.KEY_VALUE);
    converts = false;
    assertThatThrownBy(() -> open(StoreKind.KEY_VALUE.accordion()))
        .isInstanceOf(TaskCorruptedException.class);
  }

  @Test
  void isRestoredWholeWhereThereIsNoCheckpoint() throws IOException {
    writeRocksDb(StoreKind.KEY_VALUE);
    Files.delete(checkpoint());
    StateStore store = open(StoreKind.KEY_VALUE.accordion());
    assertThat(StoreKind.KEY_VALUE.contents(store)).isEmpty();
    store.close();
  }

  @Test
  void storeWithoutChangelogIsConvertedInAnyCase() throws IOException {
    writeRocksDb(StoreKind.KEY_VALUE);
    Files.delete(checkpoint());
    logged = false;
    StateStore store = open(StoreKind.KEY_VALUE.accordion());
    assertThat(StoreKind.KEY_VALUE.contents(store)).isNotEmpty();
    store.close();
  }

  @Test
  void damagedFilesLeaveNothingBehind() throws IOException {
    writeRocksDb(StoreKind.WINDOW);
    StateStore rocks = open(StoreKind.WINDOW.rocksDb());
    var contents = StoreKind.WINDOW.contents(rocks);
    rocks.close();
    Path damaged = lastTable();
    byte[] sound = Files.readAllBytes(damaged);
    flip(damaged, 20);
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> open(StoreKind.WINDOW.accordion()))
          .isInstanceOf(ProcessorStateException.class)
          .hasMessageContaining(AccordionStoreConfig.CONVERT_ROCKSDB)
          .cause()
          .hasMessageContaining(damaged.getParent().toString());
    }
    Files.write(damaged, sound);
    StateStore store = open(StoreKind.WINDOW.accordion());
    assertThat(StoreKind.WINDOW.contents(store)).isEqualTo(contents);
    store.close();
  }

  private void writeRocksDb(StoreKind kind) {
    StateStore rocks = open(kind.rocksDb());
    kind.write(rocks, seed, 500);
    rocks.flush();
    rocks.close();
  }

  private StateStore open(StateStore store) {
    StreamsConfig config = config();
    StreamsMetricsImpl metrics = new StreamsMetricsImpl(registry, "client", "process", Time.SYSTEM);
    Map<String, String> changelogs = logged ? Map.of(StoreKind.STORE, CHANGELOG) : Map.of();
    TaskContext task = TaskContext.of(TASK, config, directory, metrics, changelogs);
    store.init(task.context(), store);
    return store;
  }

  private StreamsConfig config() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    properties.put(AccordionStoreConfig.MEMORY_BYTES, 16 << 20);
    properties.put(AccordionStoreConfig.CONVERT_ROCKSDB, converts);
    return new StreamsConfig(properties);
  }

  private Path checkpoint() {
    return taskFolder().resolve(".checkpoint");
  }

  private Path taskFolder() {
    return directory.getOrCreateDirectoryForTask(TASK).toPath();
  }

  private void writeCheckpoint() throws IOException {
    new OffsetCheckpoint(checkpoint().toFile())
        .write(Map.of(new TopicPartition(CHANGELOG, TASK.partition()), 1L));
  }

  private Path lastTable() throws IOException {
    return files()
        .filter(file -> file.toString().endsWith(".sst"))
        .sorted()
        .reduce((a, b) -> b)
        .orElseThrow();
  }

  /** Returns what can be seen of the files of RocksDB. */
  private Map<String, String> rocksDbFiles() throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (Path file : files().toList()) {
      if (!file.startsWith(taskFolder().resolve("accordion"))) {
        files.put(file.toString(), Files.size(file) + " " + Files.getLastModifiedTime(file));
      }
    }
    return files;
  }

  private Stream<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(taskFolder())) {
      return files.filter(Files::isRegularFile).toList().stream();
    }
  }
}
