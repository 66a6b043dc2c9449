// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Durability;
import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.engine.EngineOptions;
import io.accordiondb.bench.engine.Engines;
import io.accordiondb.bench.engine.ScanRequest;
import io.accordiondb.memstore.MemStorePolicy;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YcsbWorkloadTest {
  private static final int RECORDS = 50;

  @TempDir Path folder;

  private Engine engine() throws IOException {
    return Engines.open(
        "accordion",
        new EngineOptions(folder, 1, 8 << 20, 1 << 20, Durability.ASYNC, MemStorePolicy.DEFAULT));
  }

  private static int rows(Engine engine) throws IOException {
    try (Engine.Session session = engine.session()) {
      return session.scan(ScanRequest.forward(new byte[0], 1000)).size();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "b", "c", "d", "e", "f"})
  void insertsItsRecordsAndWorksOnThem(String letter) throws IOException {
    YcsbWorkload workload = new YcsbWorkload("workload" + letter, RECORDS, 400, 100);
    try (Engine engine = engine()) {
      try (YcsbWorkload.Operator operator = workload.operator(engine.session())) {
        for (int i = 0; i < RECORDS; i++) {
          operator.insert();
        }
        assertThat(rows(engine)).isEqualTo(RECORDS);
        for (int i = 0; i < 400; i++) {
          operator.operate();
        }
      }
      if (letter.matches("[de]")) {
        assertThat(rows(engine)).isGreaterThan(RECORDS);
      } else {
        assertThat(rows(engine)).isEqualTo(RECORDS);
      }
    }
  }

  @Test
  void anOperationThatFindsNoRecordIsHeard() throws IOException {
    YcsbWorkload workload = new YcsbWorkload("workloadc", RECORDS, 1, 100);
    try (Engine engine = engine();
        YcsbWorkload.Operator operator = workload.operator(engine.session())) {
      assertThatThrownBy(operator::operate)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("YCSB");
    }
  }
}
