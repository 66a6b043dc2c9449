// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples do what they say. */
final class ExamplesTest {
  @TempDir private Path folder;

  @Test
  void cartsAreCheckedOut() throws IOException {
    assertThat(output(() -> ShoppingCarts.main(arguments())))
        .containsExactly("cart:    {book=3, pen=1}", "ordered: {book=3, pen=1}", "cart:    {}");
  }

  @Test
  void theMeanIsOfWhatIsRecentAndOldReadingsExpire() throws IOException {
    assertThat(output(() -> TimeSeries.main(arguments())))
        .containsExactly("kitchen: 20.90909090909091", "cellar:  12.0");
    try (Database database = Database.open(folder)) {
      TimeSeries series = new TimeSeries(database);
      Instant now = Instant.now();
      series.record(now, Map.of("attic", 30.0));
      assertThat(series.mean("attic", now.minus(Duration.ofHours(1)))).hasValue(30.0);
      assertThat(series.mean("garden", now.minus(Duration.ofHours(1)))).isEmpty();
    }
  }

  @Test
  void theQueueGivesEachEntryOnceInOrder() throws Exception {
    assertThat(output(() -> WorkQueue.main(arguments()))).hasSize(10).startsWith("letter 1");
    try (Database database = Database.open(folder)) {
      WorkQueue queue = new WorkQueue(database);
      for (int i = 0; i < 200; i++) {
        queue.add("work " + i);
      }
      List<String> taken = Collections.synchronizedList(new ArrayList<>());
      ExecutorService threads = Executors.newFixedThreadPool(2);
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        running.add(
            threads.submit(
                () -> {
                  for (String work = queue.take(); work != null; work = queue.take()) {
                    taken.add(work);
                  }
                  return null;
                }));
      }
      for (Future<?> thread : running) {
        thread.get();
      }
      threads.shutdown();
      assertThat(taken).hasSize(200).doesNotHaveDuplicates();
    }
  }

  @Test
  void viewsAreCounted() throws IOException {
    assertThat(output(() -> PageViews.main(arguments())))
        .containsExactly("{/books/1=10000, /books/2=10000}");
  }

  private String[] arguments() {
    return new String[] {folder.toString()};
  }

  private interface Program {
    void run() throws IOException;
  }

  private static List<String> output(Program program) throws IOException {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true));
    try {
      program.run();
    } finally {
      System.setOut(before);
    }
    return printed.toString().lines().toList();
  }
}
