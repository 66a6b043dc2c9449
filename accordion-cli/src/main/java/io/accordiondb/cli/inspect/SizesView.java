// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.inspect;

import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.WorkProgress;
import io.accordiondb.inspect.Inspector;
import io.accordiondb.inspect.StoreSize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/** Prints the size of the stores' files and how much of it is live. Used once. */
final class SizesView {
  private final InspectOutput out;
  private final boolean exact;
  private final List<StoreSize> stores = new ArrayList<>();

  /** Sums of several stores. */
  private static final class Sum {
    private int files;
    private long bytes;
    private long liveBytes;

    void add(StoreSize store) {
      files += store.files();
      bytes += store.bytes();
      liveBytes += store.liveFileBytes();
    }
  }

  /** Creates a view. If {@code exact}, it reads every cell to find what a compaction frees. */
  SizesView(InspectOutput out, boolean exact) {
    this.out = out;
    this.exact = exact;
  }

  void print(Inspector inspector) throws IOException {
    long all = inspector.regions().stream().mapToLong(region -> region.bytes()).sum();
    try (WorkProgress progress = new WorkProgress(out.err(), "inspect", "bytes", all)) {
      inspector.measureStores(
          exact,
          System.currentTimeMillis(),
          store -> {
            stores.add(store);
            progress.add(store.bytes());
          },
          out::damage);
    }
    List<Fields> rows = new ArrayList<>();
    for (StoreSize store : stores) {
      rows.add(
          numbers(
                  new Fields()
                      .with("table", store.table())
                      .with("region", store.region())
                      .with("family", store.family()),
                  store.files(),
                  store.bytes(),
                  store.liveFileBytes())
              .with("cells", store.cells())
              .with("markers", store.markers()));
    }
    out.items("store", rows);
    if (!exact) {
      printLevels();
    }
    printSums("table", StoreSize::table);
    printSums("family", store -> store.table() + ":" + store.family());
    printSums("total", store -> "all");
  }

  private Fields numbers(Fields fields, int files, long bytes, long liveBytes) {
    fields.with("files", files).with("bytes", bytes);
    if (exact) {
      return fields
          .with("bytesAfter", liveBytes)
          .with("bytesGivenBack", bytes - liveBytes)
          .with("percentGivenBack", percent(bytes - liveBytes, bytes));
    }
    return fields
        .with("liveBytes", liveBytes)
        .with("deadBytes", bytes - liveBytes)
        .with("percentDead", percent(bytes - liveBytes, bytes));
  }

  private static double percent(long part, long all) {
    return all == 0 ? 0 : Math.round(1000.0 * part / all) / 10.0;
  }

  private void printLevels() throws IOException {
    TreeMap<Integer, Sum> levels = new TreeMap<>();
    for (StoreSize store : stores) {
      for (StoreSize.Level level : store.levels()) {
        Sum sum = levels.computeIfAbsent(level.level(), number -> new Sum());
        sum.files += level.files();
        sum.bytes += level.bytes();
      }
    }
    List<Fields> rows = new ArrayList<>();
    levels.forEach(
        (level, sum) ->
            rows.add(
                new Fields()
                    .with("level", level)
                    .with("files", sum.files)
                    .with("bytes", sum.bytes)));
    out.line("");
    out.items("level", rows);
  }

  private void printSums(String type, Function<StoreSize, String> name) throws IOException {
    TreeMap<String, Sum> sums = new TreeMap<>();
    stores.forEach(store -> sums.computeIfAbsent(name.apply(store), each -> new Sum()).add(store));
    List<Fields> rows = new ArrayList<>();
    sums.forEach(
        (each, sum) ->
            rows.add(numbers(new Fields().with(type, each), sum.files, sum.bytes, sum.liveBytes)));
    out.line("");
    out.items(type, rows);
  }
}
