// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyValueStore;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.event.EventListener;
import io.accordiondb.event.FileAddedEvent;
import io.accordiondb.event.FileDeletedEvent;
import io.accordiondb.fixtures.Await;
import io.accordiondb.internal.manifest.VersionEdit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The order of the events of each file. */
@Timeout(60)
class FileEventsTest {
  private static final String STORE = "s";
  private static final Await SOON = new Await(Duration.ofSeconds(10), Duration.ofMillis(1));

  @TempDir private Path folder;

  private final List<String> events = new CopyOnWriteArrayList<>();

  private final EventListener recorder =
      new EventListener() {
        @Override
        public void onFileAdded(FileAddedEvent event) {
          events.add("added " + event.name());
        }

        @Override
        public void onFileDeleted(FileDeletedEvent event) {
          events.add("deleted " + event.name());
        }
      };

  private DatabaseEngine open() throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder().compactWhenIdle(false).eventListener(recorder).build();
    return (DatabaseEngine) Database.open(folder.resolve("db"), options);
  }

  /** Compacts the store once, as soon as another file is in use. */
  private static void compactAtOnce(DatabaseEngine engine) {
    AtomicBoolean begun = new AtomicBoolean();
    engine
        .parts()
        .manifest()
        .onCommit(
            edits -> {
              boolean adds = edits.stream().anyMatch(VersionEdit.AddFile.class::isInstance);
              if (adds && begun.compareAndSet(false, true)) {
                compact(engine);
              }
            });
  }

  private static void compact(DatabaseEngine engine) {
    try {
      engine.majorCompact(STORE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFlushedFileIsAddedBeforeACompactionDeletesIt() throws IOException {
    try (DatabaseEngine engine = open()) {
      engine.keyValueStore(STORE).put(bytes("key"), bytes("value"));
      compactAtOnce(engine);
      engine.flush();
    }
    expectFileThatWasReplaced();
  }

  @Test
  void anIngestedFileIsAddedBeforeACompactionDeletesIt() throws IOException {
    Path file = folder.resolve("in.sst");
    FamilyDescriptor family = FamilyDescriptor.of(KeyValueStore.FAMILY);
    try (SortedFileWriter writer = SortedFileWriter.create(file, family)) {
      writer.add(bytes("key"), new byte[0], 1, bytes("value"));
      writer.finish();
    }
    try (DatabaseEngine engine = open()) {
      engine.keyValueStore(STORE);
      compactAtOnce(engine);
      engine.ingest(STORE, KeyValueStore.FAMILY, List.of(file));
    }
    expectFileThatWasReplaced();
  }

  @Test
  void aCompactedFileIsAddedBeforeAnythingCanDeleteIt() throws IOException {
    AtomicBoolean told = new AtomicBoolean();
    try (DatabaseEngine engine = open()) {
      engine.keyValueStore(STORE).put(bytes("key"), bytes("value"));
      engine.flush();
      engine
          .parts()
          .manifest()
          .onCommit(
              edits -> {
                if (edits.stream().anyMatch(VersionEdit.RemoveFile.class::isInstance)) {
                  SOON.until("an event", () -> events.size() == 2);
                  told.set(true);
                }
              });
      compact(engine);
    }
    assertThat(told).isTrue();
    expectFileThatWasReplaced();
  }

  /** Expects a file that was added first, and deleted after the one that replaces it was added. */
  private void expectFileThatWasReplaced() {
    assertThat(events).hasSize(3);
    assertThat(events.get(0)).startsWith("added ");
    assertThat(events.get(1)).startsWith("added ").isNotEqualTo(events.get(0));
    assertThat(events.get(2)).isEqualTo(events.get(0).replace("added ", "deleted "));
  }
}
