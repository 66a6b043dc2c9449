// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.encoding.ModelCell;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Small random histories and rules in which everything meets everything. */
final class Histories {
  /** Timestamps are 1 to this. */
  static final int TIMESTAMP_MAX = 4;

  /** Times at which cells of some of those timestamps have expired, and readers read. */
  static final int NOW_MAX = 8;

  /** From which time on puts of this value are expired, where {@link #EXPIRY} says so. */
  private static final String EXPIRING_VALUE = "x";

  private static final long EXPIRING_VALUE_AT = 5;

  /** Says of puts with a certain value that they have expired from a certain time on. */
  static final CellExpiry EXPIRY =
      new CellExpiry() {
        @Override
        public boolean isExpired(ByteBuffer buffer, int offset, long nowMillis) {
          return expires(new String(KeyValueLayout.value(buffer, offset), ISO_8859_1), nowMillis);
        }

        @Override
        public String name() {
          return "expiring value";
        }

        @Override
        public CellExpiry forReads() {
          return this;
        }
      };

  private Histories() {}

  /** Returns whether {@link #EXPIRY} says of a put that it has expired. */
  static boolean expires(String value, long now) {
    return value.equals(EXPIRING_VALUE) && now >= EXPIRING_VALUE_AT;
  }

  /** Returns writes in the order in which they happened, numbered from 1. */
  static Arbitrary<List<ModelCell>> histories() {
    Arbitrary<CellType> types =
        Arbitraries.frequencyOf(
            Tuple.of(6, Arbitraries.just(CellType.PUT)),
            Tuple.of(
                4,
                Arbitraries.of(CellType.class)
                    .filter(type -> type != CellType.MERGE && type != CellType.DELETE_RANGE)));
    Arbitrary<ModelCell> cells =
        Combinators.combine(
                Arbitraries.frequency(Tuple.of(5, "r"), Tuple.of(1, "s")),
                Arbitraries.frequency(Tuple.of(4, "q"), Tuple.of(3, "")),
                Arbitraries.longs().between(1, TIMESTAMP_MAX),
                types,
                Arbitraries.of("", EXPIRING_VALUE),
                Arbitraries.frequencyOf(
                    Tuple.of(2, Arbitraries.just(CellTags.FOREVER)),
                    Tuple.of(1, Arbitraries.longs().between(1, 4))))
            .as(Histories::cell);
    return cells.list().ofMinSize(1).ofMaxSize(14).map(Histories::numbered);
  }

  /** Returns the same writes of cells that do not expire by themselves. */
  static List<ModelCell> lasting(List<ModelCell> history) {
    return history.stream().map(cell -> cell.withTtl(CellTags.FOREVER)).toList();
  }

  /** Returns rules of every kind. */
  static Arbitrary<VersionRules> rules() {
    return Arbitraries.integers()
        .between(1, TIMESTAMP_MAX)
        .flatMap(
            maxVersions ->
                Combinators.combine(
                        Arbitraries.integers().between(0, maxVersions),
                        Arbitraries.of(1L, 2L, 3L, VersionRules.FOREVER),
                        Arbitraries.of(KeepDeletedCells.class))
                    .as(
                        (minVersions, ttl, keepDeleted) ->
                            new VersionRules(maxVersions, minVersions, ttl, keepDeleted)));
  }

  /** Returns requests at any read point up to the last of a history. */
  static Arbitrary<ReadRequest> requests() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 15),
            Arbitraries.longs().between(0, NOW_MAX),
            Arbitraries.of(1, 2, Integer.MAX_VALUE),
            Arbitraries.frequencyOf(
                Tuple.of(2, Arbitraries.just(Long.MIN_VALUE)),
                Tuple.of(1, Arbitraries.longs().between(1, TIMESTAMP_MAX))),
            Arbitraries.frequencyOf(
                Tuple.of(2, Arbitraries.just(Long.MAX_VALUE)),
                Tuple.of(2, Arbitraries.longs().between(1, TIMESTAMP_MAX + 1))))
        .as(ReadRequest::new);
  }

  private static ModelCell cell(
      String row, String qualifier, long timestamp, CellType type, String value, long ttlMillis) {
    boolean ofFamily = type == CellType.DELETE_FAMILY || type == CellType.DELETE_FAMILY_VERSION;
    return type == CellType.PUT
        ? new ModelCell(row, "", qualifier, timestamp, type, 0, value, ttlMillis)
        : new ModelCell(row, "", ofFamily ? "" : qualifier, timestamp, type, 0, "");
  }

  private static List<ModelCell> numbered(List<ModelCell> cells) {
    List<ModelCell> numbered = new ArrayList<>();
    cells.forEach(cell -> numbered.add(cell.withSequence(numbered.size() + 1)));
    return numbered;
  }
}
