// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

import static io.accordiondb.fixtures.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.KeyValueStore;
import io.accordiondb.dashboard.internal.sample.TimelineEvent.Kind;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.statistics.HealthStatistics;
import io.accordiondb.statistics.StallCause;
import io.accordiondb.statistics.StallStatistics;
import io.accordiondb.statistics.WriteState;
import io.accordiondb.statistics.WriteStatistics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangesTest {
  private static final int KEYS = 500;

  @TempDir private Path folder;

  private Database database;
  private KeyValueStore store;

  @BeforeEach
  void open() throws IOException {
    database =
        Database.open(
            folder,
            DatabaseOptions.builder()
                .memoryBytes(8 << 20)
                .memStorePolicy(MemStorePolicy.of(Policy.EAGER))
                .build());
    store = database.keyValueStore("s");
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  private void write(int rounds) throws IOException {
    for (int i = 0; i < rounds * KEYS; i++) {
      byte[] key = ("key" + i % KEYS).getBytes(StandardCharsets.US_ASCII);
      store.put(key, new byte[100]);
    }
  }

  @Test
  void nothingHappensWhereNothingIsDone() throws IOException {
    DatabaseStatistics figures = database.statistics();
    assertThat(Changes.between(figures, database.statistics())).isEmpty();
    assertThat(Changes.between(figures, figures)).isEmpty();
  }

  @Test
  void seesSealsAndCompactionsInMemory() throws IOException {
    List<Happening> happened = writeUntil(Kind.MEMORY_COMPACTION);
    assertThat(kinds(happened)).contains(Kind.SEAL, Kind.MEMORY_COMPACTION);
    assertThat(textOf(happened, Kind.SEAL)).contains("sealed; pipeline of ");
    assertThat(textOf(happened, Kind.MEMORY_COMPACTION)).contains(" dropped, ");
  }

  @Test
  void seesFlushes() throws IOException {
    write(1);
    DatabaseStatistics before = database.statistics();
    database.flush();
    List<Happening> happened = Changes.between(before, database.statistics());
    assertThat(kinds(happened)).containsOnly(Kind.FLUSH);
    assertThat(textOf(happened, Kind.FLUSH)).startsWith("1 flush done, ").endsWith(" written");
  }

  private static DatabaseStatistics with(HealthStatistics health, DatabaseStatistics figures) {
    return with(health, figures.writes(), figures);
  }

  private static DatabaseStatistics with(
      HealthStatistics health, WriteStatistics writes, DatabaseStatistics figures) {
    return new DatabaseStatistics(
        figures.nanosOpen(),
        health,
        figures.operations(),
        writes,
        figures.log(),
        figures.flushes(),
        figures.compactions(),
        figures.memory(),
        figures.cache(),
        figures.files(),
        figures.amplification(),
        figures.readers(),
        figures.tables());
  }

  @Test
  void seesThatWritesAreRefusedAndWhatElseHasFailed() throws IOException {
    DatabaseStatistics before = database.statistics();
    DatabaseStatistics after =
        with(new HealthStatistics(WriteState.FAILED, "no device", 1, "lost", 2), before);
    assertThat(Changes.between(before, after))
        .containsExactly(
            new Happening(Kind.FAILURE, "writes are refused: no device"),
            new Happening(Kind.FAILURE, "2 damaged places found"),
            new Happening(Kind.FAILURE, "lost"));
    assertThat(Changes.between(after, after)).isEmpty();
  }

  private static DatabaseStatistics stalled(DatabaseStatistics figures, long nanos, int waiting) {
    StallStatistics stalls =
        new StallStatistics(
            Map.of(StallCause.MEMORY, new StallStatistics.Stalls(1, nanos, waiting)),
            nanos,
            "memory is full");
    WriteStatistics writes = new WriteStatistics(0, 0, 0, stalls, 0, 0);
    return with(HealthStatistics.GOOD, writes, figures);
  }

  @Test
  void saysHowLongWritesWaitAndWhetherTheyStillDo() throws IOException {
    DatabaseStatistics before = database.statistics();
    assertThat(Changes.between(before, stalled(before, 30_000_000, 1)))
        .contains(new Happening(Kind.STALL, "1 write waiting, so far 30 ms: memory is full"));
    assertThat(Changes.between(before, stalled(before, 30_000_000, 0)))
        .contains(new Happening(Kind.STALL, "1 write waited 30 ms: memory is full"));
  }

  @Test
  void namesStoresOnlyWhereThereAreSeveral() throws IOException {
    KeyValueStore other = database.keyValueStore("other");
    other.put(new byte[] {1}, new byte[1]);
    List<Happening> happened = writeUntil(Kind.SEAL);
    assertThat(textOf(happened, Kind.SEAL)).startsWith("s/");
  }

  private List<Happening> writeUntil(Kind wanted) throws IOException {
    List<Happening> happened = new ArrayList<>();
    AtomicReference<DatabaseStatistics> before = new AtomicReference<>(database.statistics());
    await(
        wanted.toString(),
        () -> {
          write(4);
          DatabaseStatistics after = database.statistics();
          happened.addAll(Changes.between(before.getAndSet(after), after));
          return kinds(happened).contains(wanted);
        });
    return happened;
  }

  private static List<Kind> kinds(List<Happening> happened) {
    return happened.stream().map(Happening::kind).toList();
  }

  private static String textOf(List<Happening> happened, Kind kind) {
    return happened.stream()
        .filter(happening -> happening.kind() == kind)
        .map(Happening::text)
        .findFirst()
        .orElseThrow();
  }
}
