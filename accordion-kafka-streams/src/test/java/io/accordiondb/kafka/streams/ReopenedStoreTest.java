// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import static io.accordiondb.fixtures.TestFiles.copyFolder;
import static io.accordiondb.fixtures.TestFiles.deleteFolder;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.VersionedBytesStore;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.apache.kafka.streams.state.internals.StoreQueryUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that is closed and opened again, or opened while it is open. */
class ReopenedStoreTest {
  private static final String STORE = "store";

  @TempDir Path folder;

  @Test
  void countIsThatOfTheOpenStore() throws IOException {
    KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(STORE).get();
    open(store, "0_0");
    for (int i = 0; i < 100; i++) {
      store.put(bytes("key" + i), new byte[1]);
    }
    assertThat(store.approximateNumEntries()).isEqualTo(100);
    store.close();
    deleteFolder(home().resolve("0_0"));
    // Kafka Streams opens the same object again after the task was corrupted.
    open(store, "0_0");
    assertThat(store.approximateNumEntries()).isZero();
    store.close();
  }

  @Test
  void timeIsThatOfTheOpenStore() throws IOException {
    VersionedBytesStore store =
        (VersionedBytesStore)
            AccordionStores.versionedKeyValueStore(STORE, Duration.ofMinutes(5)).get();
    open(store, "0_0");
    store.put(bytes("new"), new byte[] {1}, Duration.ofHours(1).toMillis());
    store.close();
    deleteFolder(home().resolve("0_0"));
    open(store, "0_0");
    // As a restoration does, from the beginning.
    store.put(bytes("old"), new byte[] {2}, 0);
    store.put(bytes("new"), new byte[] {1}, Duration.ofHours(1).toMillis());
    assertThat(store.get(bytes("old"))).endsWith(2);
    store.close();
  }

  @Test
  void flushCoversWhatWasWrittenBeforeTheStoreWasClosed() throws IOException {
    KeyValueStore<Bytes, byte[]> other = AccordionStores.keyValueStore(STORE).get();
    open(other, "0_1");
    KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(STORE).get();
    open(store, "0_0");
    store.put(bytes("key"), new byte[] {1});
    store.close();
    // The other store has kept the database open.
    open(store, "0_0");
    store.flush();
    Path left = folder.resolve("left");
    copyFolder(home(), left.resolve("application"));
    store.close();
    other.close();
    KeyValueStore<Bytes, byte[]> again = AccordionStores.keyValueStore(STORE).get();
    again.init(StoreContexts.of(left.resolve("application").resolve("0_0")), again);
    assertThat(again.get(bytes("key"))).containsExactly(1);
    again.close();
  }

  @Test
  void positionIsGoneWithTheKeys() throws IOException {
    KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(STORE).get();
    open(store, "0_0");
    store.put(bytes("key"), new byte[] {1});
    store.close();
    Position position = Position.emptyPosition().withComponent("input", 0, 5);
    StoreQueryUtils.checkpointPosition(
        new OffsetCheckpoint(home().resolve("0_0").resolve(STORE + ".position").toFile()),
        position);
    open(store, "0_0");
    assertThat(store.getPosition()).isEqualTo(position);
    store.close();
    deleteFolder(home().resolve("accordion"));
    // A query that asks for the position must not be answered while the store is empty.
    open(store, "0_0");
    assertThat(store.get(bytes("key"))).isNull();
    assertThat(store.getPosition()).isEqualTo(Position.emptyPosition());
    store.close();
    open(store, "0_0");
    assertThat(store.getPosition()).isEqualTo(Position.emptyPosition());
    store.close();
  }

  @Test
  void storeThatIsOpenedTwiceKeepsWhatBothWrite() {
    WindowStore<Bytes, byte[]> store = windows();
    open(store, "0_0");
    WindowStore<Bytes, byte[]> second = windows();
    open(second, "0_0");
    store.put(bytes("key"), new byte[] {1}, 0);
    second.put(bytes("key"), new byte[] {2}, 1);
    store.close();
    second.close();
    open(store, "0_0");
    assertThat(store.fetch(bytes("key"), 0)).containsExactly(1);
    assertThat(store.fetch(bytes("key"), 1)).containsExactly(2);
    store.close();
  }

  @Test
  void databaseThatCouldNotBeClosedWellIsOpenedAgain() throws IOException {
    KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(STORE).get();
    open(store, "0_0");
    store.put(bytes("key"), new byte[] {1});
    Path files = home().resolve("accordion").resolve("sst");
    Path away = home().resolve("away");
    Files.move(files, away);
    assertThatThrownBy(store::close).isInstanceOf(ProcessorStateException.class);
    Files.move(away, files);
    open(store, "0_0");
    store.put(bytes("key"), new byte[] {1});
    store.flush();
    store.close();
  }

  @Test
  void applicationMayBeNamedLikeATask() {
    Path application = folder.resolve("0_0");
    KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore(STORE).get();
    store.init(StoreContexts.of(application.resolve("0_0")), store);
    assertThat(application.resolve("accordion")).isDirectory();
    store.close();
  }

  private static WindowStore<Bytes, byte[]> windows() {
    return AccordionStores.windowStore(STORE, Duration.ofMinutes(4), Duration.ofMinutes(1), false)
        .get();
  }

  private void open(StateStore store, String task) {
    store.init(StoreContexts.of(home().resolve(task)), store);
  }

  private Path home() {
    return folder.resolve("application");
  }

  private static Bytes bytes(String text) {
    return Bytes.wrap(text.getBytes(UTF_8));
  }
}
