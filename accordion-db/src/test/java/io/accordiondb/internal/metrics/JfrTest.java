// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.event.StallEvent;
import io.accordiondb.statistics.StallCause;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.Configuration;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class JfrTest {
  private static final Path SETTINGS = Path.of("../docs/accordion.jfc");
  private static final String PREFIX = "io.accordiondb.";

  @TempDir private Path folder;

  private static Configuration settings() throws IOException, ParseException {
    try (Reader reader = Files.newBufferedReader(SETTINGS)) {
      return Configuration.create(reader);
    }
  }

  private void work() throws IOException {
    try (Database database =
        Database.open(
            folder.resolve("db"),
            DatabaseOptions.builder()
                .memoryBytes(4 << 20)
                .slowOperation(Duration.ofNanos(1))
                .build())) {
      KeyValueStore store = database.keyValueStore("s");
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 100; i++) {
          store.put(("key" + i).getBytes(US_ASCII), new byte[100]);
        }
        database.flushInMemory("s");
        database.flush();
      }
      database.majorCompact("s");
      store.get("key1".getBytes(US_ASCII));
      // Once a second, and at the end of a recording.
      long end = System.nanoTime() + Duration.ofMillis(1500).toNanos();
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
    }
  }

  private static List<RecordedEvent> of(List<RecordedEvent> events, String name) {
    return events.stream().filter(e -> e.getEventType().getName().equals(PREFIX + name)).toList();
  }

  /** Returns the first event of the table; a database of an earlier test may still be closing. */
  private static RecordedEvent ofTable(List<RecordedEvent> events, String name) {
    return of(events, name).stream()
        .filter(event -> event.getString("table").equals("s"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aRecordingHoldsWhatTheDatabaseDid() throws IOException, ParseException {
    Path file = folder.resolve("recording.jfr");
    try (Recording recording = new Recording(settings())) {
      recording.start();
      work();
      DatabaseJfrEvent.Stall.write("db", new StallEvent(StallCause.MEMORY, "why", 5));
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    RecordedEvent flush = ofTable(events, "DiskFlush");
    assertThat(flush.getLong("cells")).isEqualTo(100);
    assertThat(flush.getLong("bytesWritten")).isPositive();
    assertThat(flush.getDuration("timeTaken")).isPositive();
    assertThat(flush.getString("database")).contains("db");
    RecordedEvent compaction = ofTable(events, "DiskCompaction");
    assertThat(compaction.getInt("filesRead")).isEqualTo(2);
    assertThat(compaction.getInt("filesWritten")).isOne();
    assertThat(of(events, "SlowOperation"))
        .anyMatch(
            event ->
                event.getString("kind").startsWith("WRITE_SYNC")
                    && event.getString("row").startsWith("key"));
    assertThat(of(events, "Stall").get(0).getString("cause")).isEqualTo("MEMORY");
    assertThat(of(events, "Cache")).isNotEmpty();
    assertThat(of(events, "InMemoryFlush")).isNotEmpty();
    assertThat(of(events, "MemStore")).isNotEmpty();
  }

  @Test
  void theSettingsNameEachEventThatThereIs() throws IOException, ParseException {
    work();
    Set<String> registered =
        FlightRecorder.getFlightRecorder().getEventTypes().stream()
            .map(EventType::getName)
            .filter(name -> name.startsWith(PREFIX))
            .collect(Collectors.toSet());
    // Classes are registered as they are first used.
    registered.add(PREFIX + "Stall");
    registered.addAll(
        Set.of(
            PREFIX + "Flattening",
            PREFIX + "Merge",
            PREFIX + "Compaction",
            PREFIX + "Abort",
            PREFIX + "OldestSequence"));
    Set<String> named =
        settings().getSettings().keySet().stream()
            .map(setting -> setting.substring(0, setting.indexOf('#')))
            .filter(name -> name.startsWith(PREFIX))
            .collect(Collectors.toSet());
    assertThat(named).isEqualTo(registered);
  }
}
