// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.util.Deque;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Makes results from the rows of a scan: one of each row, or several if the scan limits the cells
 * of a result or allows partial results. A partial result ends where HBase would have to end an
 * answer of {@link Scan#getMaxResultSize} bytes, or of {@link Scan#getCaching} results. Belongs to
 * one scan.
 */
final class ResultSplitter {
  private static final Cell[] NO_CELLS = {};

  private final int cellsMax;
  private final boolean partial;
  private final long answerBytesMax;
  private final int answerResultsMax;

  private long answerBytes;
  private int answerResults;

  /** Creates a splitter for a scan whose caching and result size have been set. */
  ResultSplitter(Scan scan) {
    this.cellsMax = scan.getBatch() > 0 ? scan.getBatch() : Integer.MAX_VALUE;
    this.partial = scan.getAllowPartialResults();
    this.answerBytesMax = scan.getMaxResultSize() > 0 ? scan.getMaxResultSize() : Long.MAX_VALUE;
    this.answerResultsMax = scan.getCaching() > 0 ? scan.getCaching() : Integer.MAX_VALUE;
  }

  /**
   * Adds the results of a row; all but the last one say that more cells may follow. The last one
   * says so too if it is full and a filter has left out later cells, which HBase cannot know then.
   *
   * @param continues whether a filter has left out cells after the last one
   */
  void split(List<Cell> row, boolean continues, Deque<Result> target) {
    int from = 0;
    for (int to = 1; to <= row.size(); to++) {
      boolean full = isFull(row.get(to - 1), to - from);
      boolean last = to == row.size();
      if (full || last) {
        Cell[] cells = row.subList(from, to).toArray(NO_CELLS);
        target.add(Result.create(cells, null, false, last ? full && continues : true));
        from = to;
      }
    }
  }

  /** Counts a cell, and returns whether the result ends with it. */
  private boolean isFull(Cell cell, int cells) {
    if (!partial) {
      return cells >= cellsMax;
    }
    answerBytes += Math.max(cell.heapSize(), PrivateCellUtil.estimatedSerializedSizeOf(cell));
    boolean answerFull = answerBytes >= answerBytesMax;
    boolean full = answerFull || cells >= cellsMax;
    if (answerFull || (full && ++answerResults >= answerResultsMax)) {
      answerBytes = 0;
      answerResults = 0;
    }
    return full;
  }
}
