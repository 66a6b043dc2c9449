// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class MainTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), arguments);
  }

  @Test
  void explainsItself() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("demo", "bench", "completion", "Exit codes");
    assertThat(run("bench", "compare", "--help")).isZero();
    assertThat(run("completion")).isZero();
    assertThat(out.toString()).contains("complete -F _complete_accordion");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no-such-command",
        "bench",
        "bench write --engine nothing",
        "bench write --fields 0",
        "bench read --warmup -1",
        "bench mixed --write-rate -1",
        "bench read --read-rate -1",
        "bench scan --scan BACKWARD",
        "bench mixed-scan --scan REVERSE",
        "bench write --policy LAZY",
        "bench write --key-length 3",
        "bench compare --rounds 0",
        "bench open --regions 0",
        "bench open --memory 17592186044417",
        "bench open --rounds 0",
        "bench compare --engines accordion,nothing",
        "bench compare --engines accordion,accordion",
        "bench compare --fields 0",
        "bench matrix --rounds 0",
        "bench matrix --share 0",
        "bench matrix --share NaN",
        "bench matrix --baseline accordion",
        "bench matrix --regimes nothing",
        "bench ycsb",
        "bench ycsb --ycsb=READ",
        "bench memstore --rounds 0",
        "bench memstore --operations 0",
        "bench memstore --operations 10",
        "bench memstore --threads -1",
        "bench memstore --reads 0",
        "bench memstore --memory 0",
        "bench memstore --variants LAZY",
        "bench write --key-length 1000000000",
        "bench write --active-fraction NaN",
        "bench compare --workload write --workloads put",
        "bench compare --workloads sleep",
        "demo --operations 0"
      })
  void refusesWrongUseWithExitCodeTwo(String line) {
    String[] arguments =
        Arrays.stream(line.split(" ")).filter(word -> !word.isEmpty()).toArray(String[]::new);
    assertThat(run(arguments)).isEqualTo(2);
    assertThat(err.toString()).isNotBlank().doesNotContain("\tat ");
  }

  @Test
  void demonstratesAndVerifies() throws Exception {
    assertThat(run("demo", "--operations", "5000", "--dir", folder.toString(), "--json")).isZero();
    JsonNode result = new ObjectMapper().readTree(out.toString());
    assertThat(result.get("rowsVerified").asLong()).isPositive();
    assertThat(result.get("policies")).hasSize(2);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).as("temporary stores").isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "write",
        "read",
        "scan",
        "scan --scan=REVERSE",
        "scan --scan=PREFIX",
        "mixed",
        "mixed-scan"
      })
  void measuresBothEngines(String workload) throws Exception {
    for (String engine : List.of("accordion", "rocksdb")) {
      out.getBuffer().setLength(0);
      List<String> arguments = new ArrayList<>(List.of(("bench " + workload).split(" ")));
      arguments.addAll(List.of("--engine", engine));
      arguments.addAll(
          List.of("--records", "500", "--operations", "1000", "--fields", "2", "--threads", "2"));
      arguments.addAll(List.of("--warmup", "0", "--json"));
      assertThat(run(arguments.toArray(new String[0]))).as(err.toString()).isZero();
      JsonNode result = new ObjectMapper().readTree(out.toString());
      assertThat(result.get("operationsPerSecond").asDouble()).isPositive();
      assertThat(result.get("engine").asText()).isEqualTo(engine);
    }
  }

  @Test
  void endsAsUnavailableWhereAnEngineHasNoReverseScans() {
    String line = "bench scan --scan=REVERSE --engine=leveldb --records=9 --operations=1";
    assertThat(run(line.split(" "))).isEqualTo(Main.EXIT_UNAVAILABLE);
    assertThat(err.toString()).contains("leveldb cannot be used for reverse scans");
  }

  @Test
  void warmsUpInAnotherStoreAndLeavesNothingOfIt() throws Exception {
    Path store = folder.resolve("store");
    String line = "bench write --records 500 --operations 1000 --warmup 700 --json --dir " + store;
    assertThat(run(line.split(" "))).as(err.toString()).isZero();
    assertThat(new ObjectMapper().readTree(out.toString()).get("warmup").asLong()).isEqualTo(700);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(store);
    }
  }

  @Test
  void writesNoFasterThanItIsTold() throws Exception {
    String line = "bench mixed --records 100 --operations 400 --batch 10 --warmup 0 --json";
    assertThat(run((line + " --write-rate 2000").split(" "))).as(err.toString()).isZero();
    JsonNode result = new ObjectMapper().readTree(out.toString());
    // The first batch waits for nothing.
    assertThat(result.get("operationsPerSecond").asDouble()).isPositive().isLessThan(2100);
    assertThat(result.at("/latencyMicros/p99").asDouble()).isPositive();
    assertThat(result.at("/writeLatencyMicros/p999").asDouble()).isPositive();
  }

  @Test
  void printsTheLatenciesOfReadsAndOfWritesBesideThem() {
    String line = "bench mixed --records 100 --operations 400 --batch 10 --warmup 0";
    assertThat(run(line.split(" "))).as(err.toString()).isZero();
    assertThat(out.toString())
        .containsPattern("(?m)^latency in microseconds: p50 .*, p99\\.9 .*, p99\\.99 .*, max [0-9]")
        .containsPattern("(?m)^latency of writes beside them in microseconds: p50 .*, max [0-9]");
  }

  @Test
  void readsNoFasterThanItIsTold() throws Exception {
    String line = "bench read --records 100 --operations 400 --warmup 0 --threads 2 --json";
    assertThat(run((line + " --read-rate 2000").split(" "))).as(err.toString()).isZero();
    JsonNode result = new ObjectMapper().readTree(out.toString());
    assertThat(result.get("operationsPerSecond").asDouble()).isPositive().isLessThan(2100);
    assertThat(result.at("/latencyMicros/max").asDouble())
        .isGreaterThanOrEqualTo(result.at("/latencyMicros/p9999").asDouble());
    assertThat(result.get("writeLatencyMicros").isNull()).isTrue();
  }

  @Test
  void measuresOpening() throws Exception {
    String line = "bench open --records 2000 --regions 20 --log-records 3000 --rounds 1 --json";
    assertThat(run(line.split(" "))).as(err.toString()).isZero();
    JsonNode result = new ObjectMapper().readTree(out.toString());
    assertThat(result.get("logBytes").asLong()).isGreaterThan(3000 * 124);
    assertThat(result.at("/openMicros/p50").asDouble()).isPositive();
    assertThat(result.at("/openRegionsMicros/p9999").asDouble()).isPositive();
    assertThat(result.get("replayBytesPerSecond").asDouble()).isPositive();
  }

  @Test
  void comparesEnginesInProcessesOfTheirOwnAndWritesAPage() throws Exception {
    Path page = folder.resolve("report.html");
    String[] arguments = {
      "bench",
      "compare",
      "--workloads=put,read",
      "--engines=accordion,leveldb",
      "--rounds=1",
      "--records=300",
      "--operations=2000",
      "--warmup=1000",
      "--html=" + page,
      "--plots=" + folder,
      "--json"
    };
    assertThat(run(arguments)).as(err.toString()).isZero();
    JsonNode comparisons = new ObjectMapper().readTree(out.toString()).get("comparisons");
    assertThat(comparisons.findValuesAsText("workload")).contains("put", "read");
    for (JsonNode comparison : comparisons) {
      assertThat(comparison.get("rows")).hasSize(2);
      assertThat(comparison.at("/rows/1/ratio").asDouble()).isEqualTo(1);
      assertThat(comparison.at("/rows/1/firstMillionSeconds").isNull()).isTrue();
      long share = comparison.get("workload").asText().equals("read") ? 4 : 1;
      assertThat(comparison.at("/rows/0/runs/0/operations").asLong()).isEqualTo(2000 / share);
      assertThat(comparison.at("/rows/0/runs/0/warmup").asLong()).isEqualTo(1000 / share);
    }
    assertThat(page).content().contains("accordion bench compare", "LevelDB in Java", "<svg");
    for (String plot :
        List.of(
            "ratios.svg",
            "ratios.png",
            "latencies.svg",
            "memory.png",
            "latency-over-time-put.svg",
            "rate-over-time-read.svg")) {
      assertThat(folder.resolve(plot)).isNotEmptyFile();
    }
  }

  @Test
  void comparesInOneRegimeAndWritesAPage() throws Exception {
    Path page = folder.resolve("matrix.html");
    String[] arguments = {
      "bench",
      "matrix",
      "--regimes=1 kb: BATCHES",
      "--share=0.001",
      "--baseline=leveldb",
      "--html=" + page,
      "--plots=" + folder
    };
    assertThat(run(arguments)).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("leveldb /s", "1 KB: batches of 10", " of 1 goals of the ratio reached")
        .doesNotContain("failed");
    assertThat(page).content().contains("accordion bench matrix", "1 KB: batches of 10", "<svg");
    assertThat(folder.resolve("regimes.png")).isNotEmptyFile();
    assertThat(folder.resolve("latency-over-time-1-kb-batches-of-10.svg")).isNotEmptyFile();
  }

  @Test
  void runsAWorkloadOfYcsbsByItself() throws Exception {
    String[] arguments = {
      "bench",
      "ycsb",
      "--ycsb=YCSB_E",
      "--records=200",
      "--operations=300",
      "--warmup=100",
      "--json"
    };
    assertThat(run(arguments)).as(err.toString()).isZero();
    JsonNode result = new ObjectMapper().readTree(out.toString());
    assertThat(result.get("workload").asText()).isEqualTo("YCSB_E");
    assertThat(result.get("operations").asLong()).isEqualTo(300);
    assertThat(result.at("/latencyMicros/max").asDouble()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"YCSB_LOAD --write-rate=1000", "YCSB_B --read-rate=1000 --threads=2"})
  void runsAWorkloadOfYcsbsNoFasterThanItIsTold(String workload) throws Exception {
    String line = "bench ycsb --records=200 --operations=300 --warmup=0 --json --ycsb=" + workload;
    assertThat(run(line.split(" "))).as(err.toString()).isZero();
    JsonNode result = new ObjectMapper().readTree(out.toString());
    // The first operation waits for nothing.
    assertThat(result.get("operationsPerSecond").asDouble()).isPositive().isLessThan(1050);
  }

  @Test
  void saysWhatCannotBeOpened() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "x");
    assertThat(run("bench", "write", "--operations", "1", "--dir", file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("accordion bench write: " + file + " is not a folder");
    assertThat(run("demo", "--dir", folder.resolve("missing").toString())).isEqualTo(1);
    assertThat(err.toString()).contains(folder.resolve("missing") + " does not exist");
  }

  @Test
  void measuresInAnEmptyFolderOnly() throws Exception {
    Path store = Files.createDirectory(folder.resolve("store"));
    Path precious = Files.writeString(store.resolve("CURRENT"), "x");
    assertThat(run("bench", "write", "--operations=1", "--dir=" + store)).isEqualTo(1);
    assertThat(err.toString()).contains("the folder " + store + " is not empty");
    for (String command : new String[] {"demo", "bench write"}) {
      List<String> words = new ArrayList<>(List.of(command.split(" ")));
      words.addAll(
          List.of("--operations=1", "--dir=" + Files.createDirectories(store.resolve("d"))));
      assertThat(run(words.toArray(new String[0]))).isEqualTo(1);
      assertThat(err.toString()).contains("is the folder of a database");
    }
    assertThat(precious).hasContent("x");
  }

  @Test
  void refusesAPageThatExistsBeforeItMeasures() throws Exception {
    Path page = Files.writeString(folder.resolve("page.html"), "precious");
    assertThat(run("bench", "compare", "--html=" + page)).isEqualTo(1);
    assertThat(err.toString()).contains(page + " exists already").doesNotContain("round 1");
    assertThat(page).hasContent("precious");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bench compare --html=/proc/page.html",
        "bench memstore --plots=/proc",
        "ycsb load -P workloada --plots=/proc"
      })
  void refusesAPlaceWhereNothingCanBeWrittenBeforeItMeasures(String line) {
    // There even the superuser can create no file.
    assumeThat(Path.of("/proc/self/status")).exists();
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    if (line.startsWith("ycsb")) {
      words.add("--dir=" + folder);
    } else {
      words.add("--rounds=1");
      words.add("--operations=100");
    }
    assertThat(run(words.toArray(new String[0]))).isEqualTo(1);
    assertThat(err.toString()).contains("/proc");
    assertThat(out.toString()).as("figures").isEmpty();
  }
}
