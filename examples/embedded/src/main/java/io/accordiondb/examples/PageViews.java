// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.accordiondb.Database;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyValueBatch;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.merge.MergeOperators;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counters by a merge operator: adding one reads nothing, and additions to the same page are
 * combined in memory before they are written to disk.
 */
public final class PageViews {
  private static final byte[] ONE = ByteBuffer.allocate(Long.BYTES).putLong(1).array();

  private final KeyValueStore views;

  /** Creates the store if it does not exist, with the operator for counters. */
  public PageViews(Database database) throws IOException {
    FamilyDescriptor options =
        FamilyDescriptor.builder(KeyValueStore.FAMILY)
            .mergeOperator(MergeOperators.counter().name())
            .build();
    views = database.keyValueStore("views", options);
  }

  /** Counts a view of each page, all or none of them. */
  public void count(List<String> pages) throws IOException {
    KeyValueBatch batch = views.writeBatch();
    for (String page : pages) {
      batch.merge(page.getBytes(UTF_8), ONE);
    }
    batch.commit();
  }

  /** Returns how often each page below a path was viewed. */
  public Map<String, Long> below(String path) throws IOException {
    Map<String, Long> counts = new TreeMap<>();
    try (KeyValueIterator pages = views.prefix(path.getBytes(UTF_8))) {
      pages.forEachRemaining(
          page ->
              counts.put(new String(page.key(), UTF_8), ByteBuffer.wrap(page.value()).getLong()));
    }
    return counts;
  }

  /** Counts 30,000 views of three pages. */
  public static void main(String[] arguments) throws IOException {
    try (Database database = Database.open(Path.of(arguments[0]))) {
      PageViews views = new PageViews(database);
      for (int i = 0; i < 10_000; i++) {
        views.count(List.of("/books/1", "/books/2", "/about"));
      }
      System.out.println(views.below("/books/"));
    }
  }
}
