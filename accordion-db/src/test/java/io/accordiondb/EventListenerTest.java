// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestFiles.flip;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.event.BackgroundErrorEvent;
import io.accordiondb.event.CompactionEvent;
import io.accordiondb.event.CorruptionEvent;
import io.accordiondb.event.EventListener;
import io.accordiondb.event.FileAddedEvent;
import io.accordiondb.event.FileDeletedEvent;
import io.accordiondb.event.FlushEvent;
import io.accordiondb.event.StallEvent;
import io.accordiondb.fixtures.Await;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.statistics.StallCause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class EventListenerTest {
  private static final long CALL_SECONDS_MAX = 20;

  @TempDir private Path folder;

  /** Keeps all events, in order; from the first of each kind it calls the database. */
  private static final class Recorder implements EventListener {
    private final List<Object> events = new CopyOnWriteArrayList<>();
    private final Map<String, Boolean> calledBack = new ConcurrentHashMap<>();
    private volatile @Nullable Database database;

    private void record(String kind, Object event) {
      events.add(event);
      if (database != null && calledBack.putIfAbsent(kind, false) == null) {
        calledBack.put(kind, callBack());
      }
    }

    /** Returns whether another thread could use the database while this call goes on. */
    private boolean callBack() {
      ExecutorService other = Executors.newSingleThreadExecutor();
      try {
        return other
            .submit(
                () -> {
                  Database database = Objects.requireNonNull(this.database);
                  database.snapshot().close();
                  database.statistics();
                  try {
                    database.keyValueStore("s").get(key(0));
                    database.flush();
                    database.majorCompact("s");
                  } catch (IOException e) {
                    // The storage may fail just now. That the call ends is what matters.
                    return true;
                  }
                  return true;
                })
            .get(CALL_SECONDS_MAX, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        // The last events come while the database is being closed.
        if (e.getCause() instanceof ClosedException) {
          return true;
        }
        throw new AssertionError("the database could not be used from an event", e);
      } catch (InterruptedException | TimeoutException e) {
        throw new AssertionError("the database could not be used from an event", e);
      } finally {
        other.shutdownNow();
      }
    }

    @Override
    public void onFlushBegin(FlushEvent event) {
      record("flush begin", event);
    }

    @Override
    public void onFlushEnd(FlushEvent event) {
      record("flush end", event);
    }

    @Override
    public void onCompactionBegin(CompactionEvent event) {
      record("compaction begin", event);
    }

    @Override
    public void onCompactionEnd(CompactionEvent event) {
      record("compaction end", event);
    }

    @Override
    public void onStallBegin(StallEvent event) {
      record("stall begin", event);
    }

    @Override
    public void onStallEnd(StallEvent event) {
      record("stall end", event);
    }

    @Override
    public void onFileAdded(FileAddedEvent event) {
      record("file added", event);
    }

    @Override
    public void onFileDeleted(FileDeletedEvent event) {
      record("file deleted", event);
    }

    @Override
    public void onCorruption(CorruptionEvent event) {
      record("corruption", event);
    }

    @Override
    public void onBackgroundError(BackgroundErrorEvent event) {
      record("background error", event);
    }

    <T> List<T> of(Class<T> type) {
      return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    void await(String... kinds) {
      Await.await(
          "all of " + List.of(kinds),
          () -> calledBack,
          called -> Stream.of(kinds).allMatch(kind -> called.getOrDefault(kind, false)));
    }
  }

  private final Recorder recorder = new Recorder();

  private static byte[] key(int number) {
    return ("key" + number).getBytes(US_ASCII);
  }

  private static DatabaseOptions.Builder builder() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).compactWhenIdle(false);
  }

  @Test
  void flushesCompactionsAndFilesAreReportedAndTheDatabaseCanBeCalled() throws IOException {
    try (Database database = Database.open(folder, builder().eventListener(recorder).build())) {
      recorder.database = database;
      KeyValueStore store = database.keyValueStore("s");
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++) {
          store.put(key(i), new byte[100]);
        }
        database.flush();
      }
      database.majorCompact("s");
      recorder.await(
          "flush begin",
          "flush end",
          "compaction begin",
          "compaction end",
          "file added",
          "file deleted");
    }
    FlushEvent begin = (FlushEvent) recorder.events.get(0);
    assertThat(begin.table()).isEqualTo("s");
    assertThat(begin.family()).isEqualTo(KeyValueStore.FAMILY);
    assertThat(begin.cells()).isEqualTo(100);
    assertThat(begin.bytesWritten()).isZero();
    FlushEvent end =
        recorder.of(FlushEvent.class).stream()
            .filter(event -> event.bytesWritten() > 0)
            .findFirst()
            .orElseThrow();
    assertThat(end.nanos()).isPositive();
    assertThat(end.failure()).isNull();
    FileAddedEvent added = recorder.of(FileAddedEvent.class).get(0);
    assertThat(added.bytes()).isEqualTo(end.bytesWritten());
    assertThat(added.name()).startsWith("sst/").endsWith(".sst");
    assertThat(recorder.of(FileDeletedEvent.class)).anyMatch(e -> e.name().equals(added.name()));
    assertThat(recorder.of(CompactionEvent.class))
        .anyMatch(e -> e.filesRead() > 1 && e.filesWritten() == 1 && e.nanos() > 0 && !e.givenUp());
  }

  @Test
  void aThreadThatWasInterruptedClosesTheDatabaseAndAllEventsAreTold() throws IOException {
    EventListener slow =
        new EventListener() {
          @Override
          public void onFlushBegin(FlushEvent event) {
            try {
              Thread.sleep(200);
              recorder.onFlushBegin(event);
            } catch (InterruptedException e) {
              throw new AssertionError("a listener was interrupted", e);
            }
          }
        };
    Database database =
        Database.open(folder, builder().eventListener(slow).eventListener(recorder).build());
    database.keyValueStore("s").put(key(0), key(0));
    Thread.currentThread().interrupt();
    database.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(recorder.of(FlushEvent.class)).hasSize(3);
  }

  @Test
  void bulkLoadedFilesAreReported() throws IOException {
    Path file = folder.resolve("in.sst");
    try (Database database =
        Database.open(folder.resolve("db"), builder().eventListener(recorder).build())) {
      recorder.database = database;
      database.keyValueStore("s");
      try (SortedFileWriter writer =
          SortedFileWriter.create(file, FamilyDescriptor.of(KeyValueStore.FAMILY))) {
        writer.add(key(1), new byte[0], 1, key(2));
        writer.finish();
      }
      database.ingest("s", KeyValueStore.FAMILY, List.of(file));
      recorder.await("file added");
    }
    assertThat(recorder.of(FileAddedEvent.class).get(0).table()).isEqualTo("s");
  }

  /** The first of them are whole when the last one cannot be written. */
  @Test
  void noFileIsReportedAsDeletedThatWasNeverInUse() throws IOException {
    FaultyStorage storage = new FaultyStorage(new MemoryStorage());
    try (Database database =
        DatabaseEngine.open(
            storage, builder().levelFileBytes(8 << 10).eventListener(recorder).build())) {
      database.createTable(
          TableDescriptor.builder("s")
              .family(
                  FamilyDescriptor.builder(KeyValueStore.FAMILY)
                      .compactionStyle(CompactionStyle.LEVELED)
                      .build())
              .build());
      KeyValueStore store = database.keyValueStore("s");
      Random random = new Random(1);
      for (int i = 0; i < 100; i++) {
        byte[] incompressible = new byte[1000];
        random.nextBytes(incompressible);
        store.put(key(i), incompressible);
      }
      database.flush();
      storage.failForEver(Set.of(Operation.CREATE), 3);
      assertThatThrownBy(() -> database.majorCompact("s")).hasMessageContaining("on demand");
      storage.count(Set.of());
      database.majorCompact("s");
    }
    Set<String> added = new HashSet<>();
    recorder.of(FileAddedEvent.class).forEach(event -> added.add(event.name()));
    assertThat(added).hasSizeGreaterThan(3);
    assertThat(recorder.of(FileDeletedEvent.class))
        .isNotEmpty()
        .allMatch(event -> added.contains(event.name()));
  }

  /** The log cannot be written for a moment, as on a full disk. */
  @Test
  void aFailureOfTheLogThatPassesIsNotReportedAsOneThatStays() throws IOException {
    FaultyStorage storage = new FaultyStorage(new MemoryStorage());
    try (Database database =
        DatabaseEngine.open(storage, builder().eventListener(recorder).build())) {
      KeyValueStore store = database.keyValueStore("s");
      storage.failForEver(Set.of(Operation.APPEND), 1);
      store.put(key(0), key(0), Durability.ASYNC);
      Await.await(
          "a failed flush of the log",
          () ->
              recorder.of(BackgroundErrorEvent.class).stream()
                  .anyMatch(event -> event.what().startsWith("the log could not be written")));
      storage.count(Set.of());
      Await.await(
          "writes",
          () -> {
            try {
              store.put(key(1), key(1));
              return true;
            } catch (WritesSuspendedException e) {
              return false;
            }
          });
    }
    assertThat(recorder.of(BackgroundErrorEvent.class))
        .extracting(BackgroundErrorEvent::what)
        .contains("the log could not be written; writes are refused until it can")
        .noneMatch(what -> what.contains("takes no more writes"));
  }

  @Test
  void stallsAndBackgroundErrorsAreReported() throws IOException {
    FaultyStorage storage = new FaultyStorage(new MemoryStorage());
    try (Database database =
        DatabaseEngine.open(
            storage,
            builder()
                .memoryBytes(1 << 20)
                .experiment(e -> e.withChunkBytes(64 << 10))
                .memStorePolicy(MemStorePolicy.of(Policy.NONE))
                .stallMax(Duration.ofMillis(100))
                .eventListener(recorder)
                .build())) {
      recorder.database = database;
      KeyValueStore store = database.keyValueStore("s");
      storage.failForEver(Set.of(Operation.CREATE), 1);
      assertThatThrownBy(
              () -> {
                for (int i = 0; ; i++) {
                  store.put(key(i), new byte[1000]);
                }
              })
          .isInstanceOf(WriteStalledException.class);
      recorder.await("stall begin", "background error");
      storage.count(Set.of());
      recorder.await("stall end");
    }
    StallEvent begin = recorder.of(StallEvent.class).get(0);
    assertThat(begin.cause()).isEqualTo(StallCause.MEMORY);
    assertThat(begin.reason()).contains("bytes until flushes");
    StallEvent end = recorder.of(StallEvent.class).get(1);
    assertThat(end.cause()).isEqualTo(StallCause.MEMORY);
    assertThat(end.nanos()).isGreaterThanOrEqualTo(Duration.ofMillis(100).toNanos());
    assertThat(recorder.of(FlushEvent.class)).anyMatch(event -> event.failure() != null);
    assertThat(recorder.of(BackgroundErrorEvent.class))
        .anyMatch(event -> event.what().contains("flush of table s"));
  }

  @Test
  void damageIsReportedOnceForEachPlace() throws IOException {
    try (Database database =
        Database.open(folder, builder().blockCacheBytes(0).eventListener(recorder).build())) {
      KeyValueStore store = database.keyValueStore("s");
      byte[] incompressible = new byte[1000];
      new Random(1).nextBytes(incompressible);
      store.put(key(0), incompressible);
      database.flush();
      try (Stream<Path> files = Files.list(folder.resolve("sst"))) {
        flip(files.findFirst().orElseThrow(), 100);
      }
      recorder.database = database;
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> store.get(key(0))).isInstanceOf(CorruptionException.class);
        assertThatThrownBy(() -> store.first()).isInstanceOf(IOException.class);
      }
      recorder.await("corruption");
    }
    assertThat(recorder.of(CorruptionEvent.class)).hasSize(1);
    CorruptionEvent event = recorder.of(CorruptionEvent.class).get(0);
    assertThat(event.file()).endsWith(".sst");
    assertThat(event.message()).contains(event.file(), String.valueOf(event.offset()));
  }

  @Test
  void aListenerThatThrowsIsLoggedOnceAndKeepsNothingFromOthers() throws IOException {
    EventListener faulty =
        new EventListener() {
          @Override
          public void onFlushBegin(FlushEvent event) {
            throw new IllegalStateException("thrown by the listener");
          }

          @Override
          public void onFlushEnd(FlushEvent event) {
            throw new StackOverflowError("thrown by the listener");
          }
        };
    String logged;
    try (LoggedText log = new LoggedText()) {
      try (Database database =
          Database.open(folder, builder().eventListener(faulty).eventListener(recorder).build())) {
        recorder.database = database;
        KeyValueStore store = database.keyValueStore("s");
        for (int i = 0; i < 3; i++) {
          store.put(key(i), new byte[10]);
          database.flush();
        }
        recorder.await("flush end");
      }
      logged = log.toString();
    }
    assertThat(logged.split("an event listener of", -1)).hasSize(2);
    assertThat(logged).contains("thrown by the listener");
    assertThat(recorder.of(FlushEvent.class)).hasSizeGreaterThanOrEqualTo(6);
  }

  @Test
  void aListenerMayCloseTheDatabase() throws IOException {
    Database[] opened = new Database[1];
    CopyOnWriteArrayList<String> closed = new CopyOnWriteArrayList<>();
    opened[0] =
        Database.open(
            folder,
            builder()
                .eventListener(
                    new EventListener() {
                      @Override
                      public void onFlushEnd(FlushEvent event) {
                        try {
                          opened[0].close();
                          closed.add("closed");
                        } catch (IOException e) {
                          closed.add(e.toString());
                        }
                      }
                    })
                .build());
    opened[0].keyValueStore("s").put(key(1), key(1));
    try {
      opened[0].flush();
    } catch (ClosedException e) {
      // The listener was faster than the end of the flush.
    }
    Await.await("a close by the listener", () -> !closed.isEmpty());
    assertThat(closed).startsWith("closed");
    assertThatThrownBy(() -> opened[0].statistics()).isInstanceOf(ClosedException.class);
  }
}
