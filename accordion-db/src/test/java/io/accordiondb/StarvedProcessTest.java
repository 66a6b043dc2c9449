// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.memstore.layout.CellMemory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes with less memory than their databases want: what cannot fit is refused, what may fit
 * goes on, and whatever dies for lack of memory loses nothing acknowledged.
 */
@Tag("slow")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class StarvedProcessTest {
  @TempDir Path folder;

  /** All rows ever acknowledged. */
  private final Set<String> acknowledged = new HashSet<>();

  private int nextNumber;

  @Test
  void memoryThatTheProcessCannotHaveIsRefused() throws Exception {
    String end =
        run(
            List.of("-Xmx128m", "-XX:MaxDirectMemorySize=100m"),
            512,
            CellMemory.OFF_HEAP_CHUNKS,
            100,
            100,
            0,
            false);
    assertThat(end)
        .startsWith("ended java.lang.IllegalArgumentException")
        .contains("memoryBytes is " + (512 << 20))
        .contains("only " + (100 << 20))
        .contains("-XX:MaxDirectMemorySize");
    assertThat(acknowledged).isEmpty();
  }

  /** A value of 64 KiB or more has a chunk of its own. */
  @ParameterizedTest
  @ValueSource(ints = {48 << 10, 64 << 10, 256 << 10})
  void whereOthersTakeTheDirectMemoryWritesGoOnWithLess(int valueBytes) throws Exception {
    String end =
        run(
            List.of("-Xmx32m", "-XX:MaxDirectMemorySize=64m"),
            60,
            CellMemory.OFF_HEAP_CHUNKS,
            valueBytes,
            2400,
            50,
            false);
    assertThat(end).isEqualTo("closed");
    verify();
    assertThat(acknowledged).hasSizeGreaterThan(50);
  }

  /** Each size in place of the former one, of which nothing is in use any more. */
  @Test
  void directMemoryThatWaitsForReuseIsUsedForCellsOfOtherSizes() throws Exception {
    Process process =
        javaProcess(
                List.of("-Xmx64m", "-XX:MaxDirectMemorySize=64m"),
                StarvedPool.class,
                5 << 20,
                1000,
                300 << 10,
                9 << 20,
                1000)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII))) {
      assertThat(reader.lines()).hasSize(5).containsOnly("0 false");
    }
    assertThat(process.waitFor()).isZero();
  }

  /** Else no flush would make room for those that wait. */
  @Test
  void writersOfLargeValuesLeaveFlushesTheHeapThatTheyNeed() throws Exception {
    Process process =
        javaProcess(List.of("-Xmx160m"), LargeWriter.class, folder.resolve("db"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII))) {
      assertThat(reader.lines()).as("failed writes").containsExactly("0");
    }
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void whereTheHeapIsEatenUpNothingAcknowledgedIsLost() throws Exception {
    for (int round = 0; round < 2; round++) {
      starve(round);
    }
    verify();
  }

  @Test
  @Tag("long")
  void whereTheHeapIsEatenUpAHundredTimesNothingAcknowledgedIsLost() throws Exception {
    for (int round = 0; round < 100; round++) {
      starve(round);
      if (round % 10 == 9) {
        verify();
      }
    }
    System.out.printf("%d writes acknowledged in 100 starved processes%n", acknowledged.size());
  }

  private void starve(int round) throws Exception {
    CellMemory memory = round % 2 == 0 ? CellMemory.HEAP_CHUNKS : CellMemory.OFF_HEAP_CHUNKS;
    run(List.of("-Xmx" + (28 + round % 5 * 4) + "m"), 16, memory, 32 << 10, 700, 0, true);
  }

  /** Runs a writer and returns how it says that its database ended. */
  private String run(
      List<String> flags,
      int memoryMib,
      CellMemory memory,
      int valueBytes,
      int millis,
      int directMibTaken,
      boolean eatsHeap)
      throws IOException, InterruptedException {
    Process process =
        javaProcess(
                flags,
                StarvedWriter.class,
                folder.resolve("db"),
                memoryMib,
                memory.name(),
                valueBytes,
                nextNumber,
                millis,
                directMibTaken,
                eatsHeap)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String end = "";
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.matches("\\d \\d+")) {
          acknowledged.add(line + " " + valueBytes);
          nextNumber = Math.max(nextNumber, Integer.parseInt(line.substring(2)) + 1);
        } else if (!line.isEmpty()) {
          end = line;
        }
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor()).as("exit code; 3 if it hung").isZero();
    // Numbers above may have been written and not acknowledged.
    nextNumber += 10_000;
    return end;
  }

  private void verify() throws IOException {
    try (Database database = Database.open(folder.resolve("db"))) {
      Table table = database.table(StarvedWriter.TABLE);
      for (String line : acknowledged) {
        String[] words = line.split(" ");
        int thread = Integer.parseInt(words[0]);
        int number = Integer.parseInt(words[1]);
        byte[] value =
            table
                .get(new Get(StarvedWriter.row(thread, number)))
                .value(StarvedWriter.FAMILY, StarvedWriter.QUALIFIER);
        assertThat(value)
            .as(line)
            .isEqualTo(StarvedWriter.value(thread, number, Integer.parseInt(words[2])));
      }
    }
  }
}
