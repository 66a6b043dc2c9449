// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.coprocessor.Batch.Callback;
import org.jspecify.annotations.Nullable;

/** Passes the results of the actions of a batch to a program's callback. */
final class BatchCallbacks {
  private BatchCallbacks() {}

  /** Calls back for each action that has succeeded. */
  static <R> void call(
      Session session,
      TableName name,
      List<? extends Row> actions,
      Object[] results,
      @Nullable Callback<R> callback)
      throws IOException {
    if (callback == null || Arrays.stream(results).noneMatch(BatchCallbacks::isResult)) {
      // All actions have failed, perhaps because the table does not exist.
      return;
    }
    List<RegionInfo> regions = session.catalog().regions(name);
    for (int i = 0; i < actions.size(); i++) {
      if (isResult(results[i])) {
        byte[] row = actions.get(i).getRow();
        @SuppressWarnings("unchecked") // The program says of which type its results are.
        R result = (R) results[i];
        callback.update(regionOf(regions, row), row, result);
      }
    }
  }

  private static boolean isResult(@Nullable Object outcome) {
    return outcome != null && !(outcome instanceof Throwable);
  }

  private static byte[] regionOf(List<RegionInfo> regions, byte[] row) {
    for (RegionInfo region : regions) {
      if (region.containsRow(row)) {
        return region.getRegionName();
      }
    }
    throw new IllegalStateException("no region has the row");
  }
}
