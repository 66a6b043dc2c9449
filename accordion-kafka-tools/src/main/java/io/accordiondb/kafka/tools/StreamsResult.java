// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.accordiondb.bench.BenchResult.Latency;
import java.io.IOException;

/**
 * The results of a run.
 *
 * @param workload name of the workload
 * @param engine name of the engine
 * @param recordsPerSecond records processed
 * @param warmRecordsPerSecond records processed, of the second half alone
 * @param latencyMicros how long a record took, from one to the next of a thread
 * @param restoredPerSecond records restored, from the first to the last
 * @param memoryBytes highest resident memory of the process, including its heap
 * @param writtenBytes bytes that the process caused to be written to the device during processing
 */
record StreamsResult(
    String workload,
    String engine,
    double recordsPerSecond,
    double warmRecordsPerSecond,
    Latency latencyMicros,
    double restoredPerSecond,
    long memoryBytes,
    long writtenBytes) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Returns one line. */
  String json() throws JsonProcessingException {
    return MAPPER.writeValueAsString(this);
  }

  /** Reads what {@link #json} has returned. */
  static StreamsResult parse(String json) throws IOException {
    return MAPPER.readValue(json, StreamsResult.class);
  }
}
