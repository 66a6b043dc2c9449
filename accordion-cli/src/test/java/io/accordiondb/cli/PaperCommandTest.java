// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class PaperCommandTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String line) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), line.split(" "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "paper",
        "paper fig99",
        "paper fig8 --host hbase",
        "paper table1 --host hbase --disk hdd",
        "paper table1 --rounds 0",
        "paper table1 --threads 0",
        "paper table1 --heap 1",
        "paper table1 --disk tape",
        "paper table1 --scale tiny",
        "paper table1 --resume --force",
        "paper table1 --operations 1"
      })
  void refusesWrongUseWithExitCodeTwo(String line) {
    assertThat(run(line)).isEqualTo(2);
    assertThat(err.toString()).isNotBlank().doesNotContain("\tat ");
  }

  @Test
  void runsEachInAProcessAndResumes() throws Exception {
    Path results = folder.resolve("results");
    String line = "paper table1 --operations 2000 --rounds 1 --json --out " + results;
    assertThat(run(line)).as(err.toString()).isZero();
    JsonNode report = new ObjectMapper().readTree(out.toString());
    JsonNode experiment = report.get("experiments").get(0);
    assertThat(experiment.get("name").asText()).isEqualTo("table1");
    assertThat(experiment.get("rows")).hasSize(4);
    assertThat(experiment.get("claims")).hasSize(2);
    assertThat(results.resolve("report.html")).isNotEmptyFile();
    assertThat(results.resolve("latency-over-time-table1.svg"))
        .content()
        .as("a colour for each of four runs")
        .contains("rgb(0,114,178)", "rgb(230,159,0)", "rgb(0,158,115)", "rgb(204,121,167)")
        .doesNotContain("rgb(86,180,233)");
    assertThat(results.resolve("rate-over-time-table1.png")).isNotEmptyFile();
    assertThat(results).isDirectoryNotContaining(Files::isDirectory);
    String runs = Files.readString(results.resolve("runs.jsonl"));
    assertThat(runs.lines()).hasSize(4);

    assertThat(run(line)).isEqualTo(1);
    assertThat(err.toString()).contains(results.toString(), "--resume", "--force");
    assertThat(results.resolve("runs.jsonl")).hasContent(runs);

    out.getBuffer().setLength(0);
    assertThat(run(line + " --resume")).isZero();
    assertThat(Files.readString(results.resolve("runs.jsonl"))).isEqualTo(runs);
    assertThat(new ObjectMapper().readTree(out.toString())).isEqualTo(report);

    // As an earlier version has written it, which measured no latency over time.
    String old = runs.replaceAll(",\"latencyOverTime\":\\[[^\\]]*\\]", "");
    assertThat(old).isNotEqualTo(runs);
    Files.writeString(results.resolve("runs.jsonl"), old);
    out.getBuffer().setLength(0);
    assertThat(run(line + " --resume")).as(err.toString()).isZero();
    assertThat(new ObjectMapper().readTree(out.toString())).isEqualTo(report);

    Files.writeString(results.resolve("runs.jsonl"), runs + "{\"run\":{\"");
    assertThat(run(line + " --resume")).isEqualTo(1);
    assertThat(err.toString()).contains("runs.jsonl, line 5: this is no whole run");
  }
}
