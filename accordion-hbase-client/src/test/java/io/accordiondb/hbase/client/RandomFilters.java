// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.b;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FirstKeyValueMatchingQualifiersFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Makes random filters of all kinds that HBase has, over the rows of {@link ScanModelTest}. */
final class RandomFilters {
  private static final int KINDS = 22;
  private static final int KINDS_OF_LISTS = 4;

  /** Filters that end a scan by a row or cell that the scan does not select. */
  private static final int KINDS_FOR_ALL_CELLS = 2;

  private final Random random;

  RandomFilters(Random random) {
    this.random = random;
  }

  /**
   * Returns a filter, which may consist of others.
   *
   * @param selective whether the scan leaves cells out by itself
   */
  Filter next(boolean reversed, boolean selective) {
    return next(reversed, selective, 2);
  }

  private Filter next(boolean reversed, boolean selective, int depth) {
    int kind =
        random.nextInt(
            KINDS
                + (depth > 0 ? KINDS_OF_LISTS : 0)
                + (depth > 0 && !selective ? KINDS_FOR_ALL_CELLS : 0));
    return switch (kind) {
      case 0 -> new RowFilter(operator(), comparator(row()));
      case 1 -> new PrefixFilter(b("r" + random.nextInt(4)));
      case 2 -> new PageFilter(1 + random.nextInt(6));
      case 3 -> new KeyOnlyFilter(random.nextBoolean());
      case 4 -> new FirstKeyOnlyFilter();
      case 5 -> new QualifierFilter(operator(), comparator(qualifier()));
      case 6 -> new ValueFilter(operator(), comparator(value()));
      case 7 -> new FamilyFilter(operator(), new BinaryComparator(b(family())));
      case 8 -> new ColumnPrefixFilter(b("q" + random.nextInt(4)));
      case 9 -> new MultipleColumnPrefixFilter(new byte[][] {b(qualifier()), b("q")});
      case 10 -> columnRange();
      case 11 -> new RowFilter(operator(), new RegexStringComparator("r.*[" + digit() + "]"));
      case 12 -> new ColumnPaginationFilter(1 + random.nextInt(3), random.nextInt(3));
      case 13 -> new ColumnPaginationFilter(1 + random.nextInt(3), b(qualifier()));
      case 14 -> singleColumn();
      case 15 -> singleColumnExclude();
      case 16 -> new ColumnValueFilter(b(family()), b(qualifier()), operator(), b(value()));
      case 17 -> new DependentColumnFilter(b(family()), b(qualifier()), random.nextBoolean());
      case 18 -> new TimestampsFilter(timestamps(), random.nextBoolean());
      case 19 -> new InclusiveStopFilter(b(row()));
      case 20 -> new FirstKeyValueMatchingQualifiersFilter(qualifiers());
      case 21 -> random.nextBoolean() ? new MultiRowRangeFilter(ranges()) : fuzzy(reversed);
      case 22 -> new SkipFilter(next(reversed, selective, depth - 1));
      case 23, 24, 25 -> list(reversed, selective, depth - 1);
      case 26 -> new WhileMatchFilter(next(reversed, selective, depth - 1));
      default -> new ColumnCountGetFilter(1 + random.nextInt(5));
    };
  }

  private Filter list(boolean reversed, boolean selective, int depth) {
    List<Filter> filters = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      Filter filter = next(reversed, selective, depth);
      filter.setReversed(reversed);
      filters.add(filter);
    }
    FilterList.Operator operator =
        random.nextBoolean()
            ? FilterList.Operator.MUST_PASS_ALL
            : FilterList.Operator.MUST_PASS_ONE;
    FilterList list = new FilterList(operator, filters);
    list.setReversed(reversed);
    return list;
  }

  private Filter columnRange() {
    String one = qualifier();
    String other = qualifier();
    boolean ascending = one.compareTo(other) <= 0;
    return new ColumnRangeFilter(
        b(ascending ? one : other),
        random.nextBoolean(),
        b(ascending ? other : one),
        random.nextBoolean());
  }

  private SingleColumnValueFilter singleColumn() {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(b(family()), b(qualifier()), operator(), comparator(value()));
    filter.setFilterIfMissing(random.nextBoolean());
    filter.setLatestVersionOnly(random.nextBoolean());
    return filter;
  }

  private SingleColumnValueFilter singleColumnExclude() {
    SingleColumnValueExcludeFilter filter =
        new SingleColumnValueExcludeFilter(
            b(family()), b(qualifier()), operator(), comparator(value()));
    filter.setFilterIfMissing(random.nextBoolean());
    return filter;
  }

  private List<Long> timestamps() {
    List<Long> timestamps = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      timestamps.add(1L + random.nextInt(9));
    }
    return timestamps;
  }

  private TreeSet<byte[]> qualifiers() {
    TreeSet<byte[]> qualifiers = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    qualifiers.add(b(qualifier()));
    qualifiers.add(b(qualifier()));
    return qualifiers;
  }

  private List<MultiRowRangeFilter.RowRange> ranges() {
    List<MultiRowRangeFilter.RowRange> ranges = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      String one = row();
      String other = row();
      if (!one.equals(other)) {
        ranges.add(
            new MultiRowRangeFilter.RowRange(
                one.compareTo(other) < 0 ? one : other,
                random.nextBoolean(),
                one.compareTo(other) < 0 ? other : one,
                random.nextBoolean()));
      }
    }
    if (ranges.isEmpty()) {
      ranges.add(new MultiRowRangeFilter.RowRange("r1", true, "r2", false));
    }
    return ranges;
  }

  private Filter fuzzy(boolean reversed) {
    byte[] row = b(row());
    byte[] mask = new byte[row.length];
    mask[1 + random.nextInt(row.length - 1)] = 1;
    FuzzyRowFilter filter = new FuzzyRowFilter(List.of(new Pair<>(row, mask)));
    filter.setReversed(reversed);
    return filter;
  }

  private CompareOperator operator() {
    CompareOperator[] operators = CompareOperator.values();
    CompareOperator operator = operators[random.nextInt(operators.length)];
    return operator == CompareOperator.NO_OP ? CompareOperator.EQUAL : operator;
  }

  private ByteArrayComparable comparator(String bytes) {
    return switch (random.nextInt(3)) {
      case 0 -> new BinaryComparator(b(bytes));
      case 1 -> new BinaryPrefixComparator(b(bytes.substring(0, bytes.length() - 1)));
      default -> new SubstringComparator(bytes.substring(1));
    };
  }

  private String digit() {
    return Integer.toString(random.nextInt(4));
  }

  String row() {
    return "r" + digit() + digit();
  }

  String family() {
    return random.nextBoolean() ? "f" : "g";
  }

  String qualifier() {
    return "q" + digit() + (random.nextInt(3) == 0 ? digit() : "");
  }

  /** Returns a qualifier, which is sometimes empty. */
  String qualifierOrNone() {
    return random.nextInt(5) == 0 ? "" : qualifier();
  }

  /** Returns a delete of any kind that HBase has, with a timestamp up to a maximum. */
  Delete delete(int timestampMax) {
    Delete delete = new Delete(b(row()));
    byte[] family = b(family());
    byte[] qualifier = b(qualifier());
    long timestamp = 1 + random.nextInt(timestampMax);
    switch (random.nextInt(5)) {
      case 0 -> delete.addFamily(family, timestamp);
      case 1 -> delete.addFamilyVersion(family, timestamp);
      case 2 -> delete.addColumns(family, qualifier, timestamp);
      case 3 -> delete.addColumn(family, qualifier, timestamp);
      default -> delete.addColumn(family, qualifier);
    }
    return delete;
  }

  String value() {
    return "v" + digit();
  }
}
