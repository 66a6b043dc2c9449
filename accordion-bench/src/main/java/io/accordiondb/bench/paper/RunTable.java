// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.paper.RunFigures.Latency;
import io.accordiondb.bench.report.ReportTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Every round of every run, for machines: numbers without separators, one line each. */
final class RunTable {
  private static final List<String> HEADER =
      List.of(
          "engine,policy,A,S,R,cells,index,workload,distribution,disk,log,keys,writes,memory bytes,pace",
          "heap bytes,threads,round,rows,seconds,rows per second,flushes,compactions,bytes flushed",
          "bytes compacted,bytes logged,cells eliminated,ms in GC,bytes allocated,peak bytes");

  private RunTable() {}

  static ReportTable of(List<PaperRun> runs, PaperResults results) {
    List<String> header = new ArrayList<>();
    HEADER.forEach(part -> header.addAll(Arrays.asList(part.split(",", -1))));
    Latency.PERCENTILES.forEach(percentile -> header.add("p" + percentile + " us"));
    ReportTable table = new ReportTable(header);
    for (PaperRun run : runs) {
      List<RunFigures> rounds = results.rounds(run);
      for (int round = 0; round < rounds.size(); round++) {
        table.row(row(run, round + 1, rounds.get(round)));
      }
    }
    return table;
  }

  private static List<String> row(PaperRun run, int round, RunFigures figures) {
    List<Object> cells =
        new ArrayList<>(
            List.of(
                run.engine(),
                run.policy().kind(),
                run.policy().activeFraction(),
                run.policy().pipelineSegmentsMax(),
                run.policy().redundancyThreshold(),
                run.layout().cells(),
                run.layout().index(),
                run.workload(),
                run.distribution(),
                run.disk(),
                run.durability(),
                run.size().keys(),
                run.size().writes(),
                run.size().memoryBytes(),
                run.pace(),
                run.size().heapBytes(),
                run.size().threads(),
                round,
                figures.rows(),
                FigureFormat.format("%.3f", figures.seconds()),
                FigureFormat.format("%.0f", figures.rowsPerSecond()),
                figures.engine().flushes(),
                figures.engine().compactions(),
                figures.engine().bytesFlushed(),
                figures.engine().bytesCompacted(),
                figures.engine().bytesLogged(),
                figures.cellsEliminated(),
                figures.gcMillis(),
                figures.allocatedBytes(),
                figures.peakMemoryBytes()));
    Latency latency = figures.latency();
    for (int percentile : Latency.PERCENTILES) {
      cells.add(latency == null ? "" : FigureFormat.format("%.1f", latency.at(percentile)));
    }
    return cells.stream().map(Object::toString).toList();
  }
}
