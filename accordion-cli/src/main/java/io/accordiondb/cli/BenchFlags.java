// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.Durability;
import io.accordiondb.bench.BenchOptions;
import io.accordiondb.bench.BenchOptions.Workload;
import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.Rows;
import io.accordiondb.bench.WorkloadCase;
import io.accordiondb.bench.engine.EngineOptions;
import io.accordiondb.bench.engine.Engines;
import io.accordiondb.bench.engine.ScanRequest;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.MergeSchedule;
import io.accordiondb.memstore.Policy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that all measurements share. */
final class BenchFlags {
  @Option(names = "--policy", defaultValue = "ADAPTIVE", description = "${COMPLETION-CANDIDATES}")
  private Policy policy = Policy.ADAPTIVE;

  @Option(names = "--active-fraction", defaultValue = "0.02", description = "A of the policy")
  private double activeFraction;

  @Option(names = "--pipeline-segments", defaultValue = "5", description = "S of the policy")
  private int pipelineSegments;

  @Option(names = "--threshold", defaultValue = "0.2", description = "R of ADAPTIVE")
  private double threshold;

  @Option(
      names = "--merge-schedule",
      defaultValue = "TIERED",
      description = "segments that BASIC and ADAPTIVE merge: ${COMPLETION-CANDIDATES}")
  private MergeSchedule mergeSchedule = MergeSchedule.TIERED;

  @Option(
      names = "--distribution",
      defaultValue = "ZIPFIAN",
      description = "${COMPLETION-CANDIDATES}")
  private Distribution distribution = Distribution.ZIPFIAN;

  @Option(names = "--records", defaultValue = "2000000", description = "different keys")
  private long records;

  @Option(
      names = "--operations",
      defaultValue = "8000000",
      description = "rows written, fields read or ranges scanned")
  private long operations;

  @Option(
      names = "--warmup",
      description =
          "operations done before those that are measured (default: as many; 0 for none): "
              + "by write in a store of its own, else once all records are written and the "
              + "process is idle")
  private @Nullable Long warmup;

  @Option(names = "--key-length", defaultValue = "24", description = "bytes of a key")
  private int keyLength;

  @Option(names = "--fields", defaultValue = "1", description = "fields of a row")
  private int fields;

  @Option(names = "--field-length", defaultValue = "100", description = "bytes of a field")
  private int fieldLength;

  @Option(names = "--batch", defaultValue = "100", description = "rows of one write")
  private int batch;

  @Option(
      names = "--scan",
      defaultValue = "FORWARD",
      description =
          "${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}): rows from a key upwards, "
              + "from a key downwards, or with a prefix that about --scan-rows keys share (a "
              + "third to three times as many); mixed-scan takes FORWARD only")
  private ScanRequest.Kind scan = ScanRequest.Kind.FORWARD;

  @Option(names = "--scan-rows", defaultValue = "50", description = "rows of one scan, at most")
  private int scanRows;

  @Option(names = "--threads", defaultValue = "1", description = "threads")
  private int threads;

  @Option(
      names = "--write-rate",
      defaultValue = "0",
      description =
          "rows a second that are written at most, so that reads of several engines can "
              + "be compared under the same writes (default 0: as many as there can be); of "
              + "ycsb, its load alone obeys; "
              + "latencies then count from the moment when a batch was due")
  private long writeRate;

  @Option(
      names = "--read-rate",
      defaultValue = "0",
      description =
          "reads or scans a second at most, or operations of ycsb "
              + "except its load (default 0: as many as there can be); "
              + "latencies then count from the moment when one was due")
  private long readRate;

  @Option(names = "--memory", defaultValue = "128", description = "MB of memory for writes")
  private long memoryMegabytes;

  @Option(names = "--cache", defaultValue = "128", description = "MB of block cache")
  private long cacheMegabytes;

  @Option(names = "--durability", defaultValue = "SYNC", description = "${COMPLETION-CANDIDATES}")
  private Durability durability = Durability.SYNC;

  BenchOptions options(Workload workload, String engine, Path directory) {
    Limits.check("--records", records, 1, Integer.MAX_VALUE);
    Limits.check("--operations", operations, 1, Long.MAX_VALUE);
    Limits.check("--warmup", warmup(), 0, Long.MAX_VALUE);
    Limits.check("--key-length", keyLength, Rows.KEY_BYTES_MIN, Short.MAX_VALUE);
    Limits.check("--fields", fields, 1, 1000);
    Limits.check("--field-length", fieldLength, 1, 1 << 20);
    Limits.check("--batch", batch, 1, 1 << 20);
    if (workload == Workload.MIXED_SCAN && scan != ScanRequest.Kind.FORWARD) {
      throw new IllegalArgumentException(
          "--scan is " + scan + ", expected FORWARD, as mixed-scan has no other");
    }
    Limits.check("--scan-rows", scanRows, 1, 1 << 20);
    Limits.check("--threads", threads, 1, 1024);
    Limits.check("--write-rate", writeRate, 0, 1L << 40);
    Limits.check("--read-rate", readRate, 0, 1L << 40);
    Limits.check("--memory", memoryMegabytes, 1, 1 << 20);
    Limits.check("--cache", cacheMegabytes, 0, 1 << 20);
    EngineOptions engineOptions =
        new EngineOptions(
            directory,
            fields,
            memoryMegabytes << 20,
            cacheMegabytes << 20,
            durability,
            new MemStorePolicy(policy, activeFraction, pipelineSegments, threshold, mergeSchedule));
    return new BenchOptions(
        workload,
        engine,
        workload == Workload.COUNTER ? engineOptions.withCounters() : engineOptions,
        distribution,
        records,
        operations,
        warmup(),
        keyLength,
        fieldLength,
        batch,
        scan,
        scanRows,
        threads,
        writeRate,
        readRate);
  }

  private long warmup() {
    return warmup == null ? operations : warmup;
  }

  /** Returns the heap of a process in which each of these engines has room. */
  long heapMegabytes(List<String> engines) {
    return engines.stream()
            .mapToLong(
                engine -> Engines.heapBytes(engine, memoryMegabytes << 20, cacheMegabytes << 20))
            .max()
            .orElseThrow()
        >> 20;
  }

  /** Returns the flags as arguments for another process. */
  List<String> arguments() {
    return arguments(distribution, operations, warmup(), batch);
  }

  /** Returns the flags as arguments for another process, as a case changes them. */
  List<String> arguments(WorkloadCase changed) {
    long warmup = warmup() == 0 ? 0 : changed.operations(warmup());
    return arguments(
        changed.distribution(), changed.operations(operations), warmup, changed.batch(batch));
  }

  private List<String> arguments(Distribution keys, long count, long before, int rows) {
    List<String> arguments = new ArrayList<>();
    add(arguments, "--policy", policy);
    add(arguments, "--active-fraction", activeFraction);
    add(arguments, "--pipeline-segments", pipelineSegments);
    add(arguments, "--threshold", threshold);
    add(arguments, "--merge-schedule", mergeSchedule);
    add(arguments, "--distribution", keys);
    add(arguments, "--records", records);
    add(arguments, "--operations", count);
    add(arguments, "--warmup", before);
    add(arguments, "--key-length", keyLength);
    add(arguments, "--fields", fields);
    add(arguments, "--field-length", fieldLength);
    add(arguments, "--batch", rows);
    add(arguments, "--scan", scan);
    add(arguments, "--scan-rows", scanRows);
    add(arguments, "--threads", threads);
    add(arguments, "--write-rate", writeRate);
    add(arguments, "--read-rate", readRate);
    add(arguments, "--memory", memoryMegabytes);
    add(arguments, "--cache", cacheMegabytes);
    add(arguments, "--durability", durability);
    return arguments;
  }

  private static void add(List<String> arguments, String name, Object value) {
    arguments.add(name + "=" + value);
  }
}
