// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a writing process with SIGKILL, again and again on one folder, and looks each time whether
 * all that it had acknowledged is there, batches are whole, and each thread's writes are a prefix
 * of what it wrote. The oracle is what the process printed, read by this one.
 */
@Tag("slow")
class KillTest {
  private static final int MILLIS_MIN = 50;
  private static final int MILLIS_MAX = 700;

  @TempDir Path folder;

  /** The number up to which each thread's writes are known to be in the store. */
  private final long[] lastFound = new long[KilledWriter.THREADS];

  @Test
  void losesNothingAcknowledgedInAFewKills() throws Exception {
    run(3, new Random(42));
  }

  @Test
  @Tag("long")
  void losesNothingAcknowledgedInAThousandKills() throws Exception {
    run(1_000, new Random(43));
  }

  private void run(int rounds, Random random) throws Exception {
    try (Database database = Database.open(folder, KilledWriter.options())) {
      database.createTable(TableDescriptor.of("a", "f"), KilledWriter.row(1, 0));
      database.createTable(TableDescriptor.of("b", "f"));
    }
    for (int round = 0; round < rounds; round++) {
      long[] last = writeUntilKilled(MILLIS_MIN + random.nextInt(MILLIS_MAX - MILLIS_MIN));
      verify(round, last);
    }
    long writes = LongStream.of(lastFound).sum();
    System.out.printf("%,d kills, %,d writes%n", rounds, writes);
    assertThat(writes).as("writes").isPositive();
  }

  /** Returns the highest number that each thread has said to be acknowledged. */
  private long[] writeUntilKilled(int millis) throws IOException, InterruptedException {
    List<Object> arguments = new ArrayList<>(List.of(folder));
    for (long number : lastFound) {
      arguments.add(number + 1);
    }
    List<String> options = List.of("-Xmx128m");
    Process process =
        javaProcess(options, KilledWriter.class, arguments.toArray())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    long[] last = lastFound.clone();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
      String line = reader.readLine();
      long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      while (line != null) {
        String[] words = line.split(" ");
        if (words.length == 2 && !words[1].isEmpty()) {
          last[Integer.parseInt(words[0])] = Long.parseLong(words[1]);
        }
        if (System.nanoTime() > deadline) {
          // Through the handle, which leaves the pipe to be read to its end.
          assertThat(process.toHandle().destroyForcibly()).isTrue();
          deadline = Long.MAX_VALUE;
        }
        line = reader.readLine();
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor()).as("exit code of a killed process").isEqualTo(137);
    return last;
  }

  private void verify(int round, long[] acknowledged) throws IOException {
    try (Database database = Database.open(folder, KilledWriter.options())) {
      Table rows = database.table("a");
      Table lasts = database.table("b");
      for (int thread = 0; thread < KilledWriter.THREADS; thread++) {
        long found = KilledWriter.numberOf(lasts.get(new Get(KilledWriter.lastRow(thread))));
        assertThat(found)
            .as("round %d, thread %d: last write found", round, thread)
            .isGreaterThanOrEqualTo(acknowledged[thread]);
        for (long number = Math.max(1, found - KilledWriter.ROWS + 1); number <= found; number++) {
          assertThat(KilledWriter.numberOf(rows.get(new Get(KilledWriter.row(thread, number)))))
              .as("round %d, thread %d: row of write %d", round, thread, number)
              .isEqualTo(number);
        }
        lastFound[thread] = found;
      }
    }
  }
}
