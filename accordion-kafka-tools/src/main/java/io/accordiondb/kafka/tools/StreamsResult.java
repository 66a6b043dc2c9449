// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

/**
 * The results of a run.
 *
 * @param recordsPerSecond records processed
 * @param warmRecordsPerSecond records processed, of the second half alone
 * @param p99Micros what 99 of 100 records took at most, from one to the next of a thread
 * @param restoredPerSecond records restored, from the first to the last
 * @param memoryBytes highest resident memory of the process, including its heap
 * @param writtenBytes bytes that the process caused to be written to the device during processing
 */
record StreamsResult(
    double recordsPerSecond,
    double warmRecordsPerSecond,
    double p99Micros,
    double restoredPerSecond,
    long memoryBytes,
    long writtenBytes) {
  String toLine() {
    return recordsPerSecond
        + " "
        + warmRecordsPerSecond
        + " "
        + p99Micros
        + " "
        + restoredPerSecond
        + " "
        + memoryBytes
        + " "
        + writtenBytes;
  }

  static StreamsResult parse(String line) {
    String[] fields = line.split(" ");
    return new StreamsResult(
        Double.parseDouble(fields[0]),
        Double.parseDouble(fields[1]),
        Double.parseDouble(fields[2]),
        Double.parseDouble(fields[3]),
        Long.parseLong(fields[4]),
        Long.parseLong(fields[5]));
  }
}
