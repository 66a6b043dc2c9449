// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * What a reader sees, straight from the rules' words: each put is looked at by itself, against all
 * markers and all other puts of its column, in no order.
 */
public final class ReadModel {
  private final Collection<ModelCell> history;
  private final VersionRules rules;
  private final ReadRequest request;
  private final List<ModelCell> visible;

  private ReadModel(Collection<ModelCell> history, VersionRules rules, ReadRequest request) {
    this.history = history;
    this.rules = rules;
    this.request = request;
    this.visible = history.stream().filter(cell -> cell.sequence() <= request.readPoint()).toList();
  }

  /** Returns the puts that a reader sees, in order. */
  public static List<ModelCell> read(
      Collection<ModelCell> history, VersionRules rules, ReadRequest request) {
    return new ReadModel(history, rules, request).read();
  }

  private List<ModelCell> read() {
    List<ModelCell> seen = new ArrayList<>();
    List<ModelCell> columns = new ArrayList<>();
    for (ModelCell cell : history) {
      if (columns.stream().noneMatch(cell::sameColumn)) {
        columns.add(cell);
        List<ModelCell> ofColumn = readColumn(cell);
        seen.addAll(ofColumn.subList(0, Math.min(request.versionsMax(), ofColumn.size())));
      }
    }
    seen.sort(null);
    return seen;
  }

  /** Returns what is visible of a column, newest first, more versions than wanted among it. */
  private List<ModelCell> readColumn(ModelCell column) {
    // Of equal timestamps the put written last is the version; deleted ones that are not kept are
    // as if they had never been written.
    TreeMap<Long, ModelCell> versions = new TreeMap<>(Comparator.reverseOrder());
    visible.stream()
        .filter(cell -> cell.type() == CellType.PUT && cell.sameColumn(column))
        .filter(put -> !isGone(put))
        .sorted(Comparator.comparingLong(ModelCell::sequence))
        .forEach(put -> versions.put(put.timestamp(), put));
    List<ModelCell> seen = new ArrayList<>();
    for (ModelCell put : versions.values()) {
      boolean hidden = isHidden(put);
      long newer =
          versions.values().stream()
              .filter(other -> other.timestamp() > put.timestamp())
              .filter(other -> hidden || !isHidden(other))
              .count();
      boolean kept =
          newer < rules.maxVersions() && (!isExpired(put) || newer < rules.minVersions());
      boolean inRange =
          put.timestamp() >= request.minTimestamp() && put.timestamp() < request.maxTimestamp();
      if (kept && inRange && !isHiddenFromThisReader(put)) {
        seen.add(put);
      }
    }
    return seen;
  }

  /** Returns whether a compaction may drop a deleted put, whatever the counts of versions. */
  private boolean isGone(ModelCell put) {
    return switch (rules.keepDeleted()) {
      case FALSE -> isHidden(put);
      case TRUE -> false;
      case TTL -> visible.stream().anyMatch(marker -> hides(marker, put) && isExpired(marker));
    };
  }

  private boolean isHidden(ModelCell put) {
    return visible.stream().anyMatch(marker -> hides(marker, put));
  }

  /** A reader of the past sees what was deleted with a later timestamp than all that he reads. */
  private boolean isHiddenFromThisReader(ModelCell put) {
    return visible.stream()
        .anyMatch(
            marker ->
                hides(marker, put)
                    && (rules.keepDeleted() == KeepDeletedCells.FALSE
                        || marker.timestamp() < request.maxTimestamp()));
  }

  private boolean isExpired(ModelCell cell) {
    return rules.ttlMillis() != VersionRules.FOREVER
        && cell.timestamp() < request.now() - rules.ttlMillis();
  }

  private static boolean hides(ModelCell marker, ModelCell put) {
    if (!marker.row().equals(put.row()) || marker.sequence() <= put.sequence()) {
      return false;
    }
    return switch (marker.type()) {
      case PUT, MERGE, DELETE_RANGE -> false;
      case DELETE -> marker.sameColumn(put) && marker.timestamp() == put.timestamp();
      case DELETE_COLUMN -> marker.sameColumn(put) && marker.timestamp() >= put.timestamp();
      case DELETE_FAMILY_VERSION -> marker.timestamp() == put.timestamp();
      case DELETE_FAMILY -> marker.timestamp() >= put.timestamp();
    };
  }
}
