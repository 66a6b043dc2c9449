// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class DashboardFlagsTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final InputStream input = System.in;

  @BeforeEach
  void nobodyCanPressEnter() {
    System.setIn(new ByteArrayInputStream(new byte[0]));
  }

  @AfterEach
  void restoreInput() {
    System.setIn(input);
  }

  private int run(String... arguments) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), arguments);
  }

  @Test
  void demonstratesBothPoliciesOnTheSameRows() throws Exception {
    assertThat(
            run(
                "demo",
                "--operations=5000",
                "--write-rate=0",
                "--dashboard",
                "--dir=" + folder,
                "--json"))
        .as(err.toString())
        .isZero();
    assertThat(err.toString())
        .containsPattern("dashboard: http://127\\.0\\.0\\.1:[0-9]+/#token=[A-Za-z0-9_-]{32}")
        .contains("The page stays until you press Enter.");
    JsonNode result = new ObjectMapper().readTree(out.toString());
    assertThat(result.at("/policies/0/policy").asText()).isEqualTo("NONE");
    assertThat(result.at("/policies/1/policy").asText()).isEqualTo("ADAPTIVE");
    assertThat(result.at("/policies/0/rowsVerified").asLong())
        .isPositive()
        .isEqualTo(result.at("/policies/1/rowsVerified").asLong());
  }

  @Test
  void benchShowsTheStoreItMeasures() {
    assertThat(
            run(
                "bench",
                "write",
                "--records=100",
                "--operations=1000",
                "--warmup=0",
                "--memory=4",
                "--dir=" + folder.resolve("store"),
                "--dashboard=0"))
        .as(err.toString())
        .isZero();
    assertThat(err.toString()).contains("dashboard: http://127.0.0.1:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo --dashboard=70000",
        "demo --dashboard=eight",
        "demo --write-rate=5",
        "demo --dashboard --write-rate=-1",
        "bench write --engine=h2 --dashboard",
        "ycsb load -P workloada --engine=h2 --dashboard",
        "paper fig5 --host=hbase --dashboard"
      })
  void wrongUseIsRefused(String arguments) {
    assertThat(run(arguments.split(" "))).as(err.toString()).isEqualTo(2);
    assertThat(err.toString()).containsAnyOf("dashboard", "--write-rate");
  }
}
