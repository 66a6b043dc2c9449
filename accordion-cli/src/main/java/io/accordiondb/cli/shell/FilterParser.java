// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.CompareOperator;
import io.accordiondb.Filter;
import io.accordiondb.cli.text.BytesText;
import io.accordiondb.filter.Filters;
import io.accordiondb.filter.MissingColumn;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads filters as HBase's shell writes them: {@code PrefixFilter('a') AND NOT (ValueFilter(=, 'b')
 * OR KeyOnlyFilter())}. Belongs to one thread; used once.
 */
final class FilterParser {
  /** The filters that there are, for help. */
  static final String HELP =
      "Filters: PrefixFilter(row), RowFilter, FamilyFilter, QualifierFilter and ValueFilter(operator,"
          + " bytes), ColumnPrefixFilter(bytes), SingleColumnValueFilter(family, qualifier, operator,"
          + " bytes [, drops rows without it: true]), TimestampsFilter(n, ...), FirstKeyOnlyFilter(),"
          + " KeyOnlyFilter(), with AND, OR, NOT and parentheses; operators: = != < <= > >=.";

  private static final Map<String, CompareOperator> OPERATORS =
      Map.of(
          "=", CompareOperator.EQUAL,
          "!=", CompareOperator.NOT_EQUAL,
          "<", CompareOperator.LESS,
          "<=", CompareOperator.LESS_OR_EQUAL,
          ">", CompareOperator.GREATER,
          ">=", CompareOperator.GREATER_OR_EQUAL);

  private static final String ENDS_WORD = "(),'\"";
  private static final int DEPTH_MAX = 100;

  /** The prefix that HBase's shell puts before the bytes to compare with. */
  private static final String BINARY = "binary:";

  /** The prefixes of HBase's shell for other ways to compare, which there are not. */
  private static final List<String> OTHER_COMPARATORS =
      List.of("binaryprefix:", "regexstring:", "regexstringnocase:", "substring:");

  /** How many arguments a filter takes at most, by its name; others take any number. */
  private static final Map<String, Integer> ARGUMENTS_MAX =
      Map.of(
          "prefixfilter", 1,
          "columnprefixfilter", 1,
          "rowfilter", 2,
          "familyfilter", 2,
          "qualifierfilter", 2,
          "valuefilter", 2,
          "singlecolumnvaluefilter", 5,
          "firstkeyonlyfilter", 0,
          "keyonlyfilter", 0);

  private final String text;
  private int at;
  private int depth;

  private FilterParser(String text) {
    this.text = text;
  }

  /**
   * Reads a filter.
   *
   * @throws IllegalArgumentException if the text is none
   */
  static Filter parse(String text) {
    FilterParser parser = new FilterParser(text);
    Filter filter = parser.any();
    if (parser.at < text.length()) {
      throw parser.wrong("the end, AND or OR");
    }
    return filter;
  }

  private Filter any() {
    List<Filter> parts = new ArrayList<>(List.of(all()));
    while (takeWord("OR")) {
      parts.add(all());
    }
    return parts.size() == 1 ? parts.get(0) : Filters.or(parts.toArray(new Filter[0]));
  }

  private Filter all() {
    List<Filter> parts = new ArrayList<>(List.of(one()));
    while (takeWord("AND")) {
      parts.add(one());
    }
    return parts.size() == 1 ? parts.get(0) : Filters.and(parts.toArray(new Filter[0]));
  }

  private Filter one() {
    if (++depth > DEPTH_MAX) {
      throw wrong("no more than " + DEPTH_MAX + " filters");
    }
    if (takeWord("NOT")) {
      return Filters.not(one());
    }
    if (take('(')) {
      Filter inner = any();
      require(')');
      return inner;
    }
    String name = word();
    List<String> arguments = new ArrayList<>();
    require('(');
    while (!take(')')) {
      arguments.add(word());
      if (!take(',') && (at == text.length() || text.charAt(at) != ')')) {
        throw wrong(", or )");
      }
    }
    return filter(name, arguments);
  }

  private Filter filter(String name, List<String> arguments) {
    String lower = name.toLowerCase(Locale.ROOT);
    Integer argumentsMax = ARGUMENTS_MAX.get(lower);
    if (argumentsMax != null && arguments.size() > argumentsMax) {
      throw new IllegalArgumentException(
          name
              + " has "
              + arguments.size()
              + " arguments, and takes "
              + argumentsMax
              + ". "
              + HELP);
    }
    return switch (lower) {
      case "prefixfilter" -> Filters.rowPrefix(bytes(name, arguments, 0));
      case "columnprefixfilter" -> Filters.qualifierPrefix(bytes(name, arguments, 0));
      case "rowfilter" -> Filters.row(operator(name, arguments, 0), compared(name, arguments, 1));
      case "familyfilter" ->
          Filters.family(operator(name, arguments, 0), compared(name, arguments, 1));
      case "qualifierfilter" ->
          Filters.qualifier(operator(name, arguments, 0), compared(name, arguments, 1));
      case "valuefilter" ->
          Filters.value(operator(name, arguments, 0), compared(name, arguments, 1));
      case "singlecolumnvaluefilter" ->
          Filters.singleColumnValue(
              argument(name, arguments, 0).getBytes(StandardCharsets.UTF_8),
              bytes(name, arguments, 1),
              operator(name, arguments, 2),
              compared(name, arguments, 3),
              // As in HBase: whether rows without the column are left out; they stay by default.
              arguments.size() > 4 && truth(name, arguments.get(4))
                  ? MissingColumn.SKIP_ROW
                  : MissingColumn.KEEP_ROW);
      case "timestampsfilter" -> Filters.timestamps(numbers(name, arguments));
      case "firstkeyonlyfilter" -> Filters.firstKeyOnly();
      case "keyonlyfilter" -> Filters.keyOnly();
      default -> throw new IllegalArgumentException("there is no filter " + name + ". " + HELP);
    };
  }

  private static String argument(String filter, List<String> arguments, int index) {
    if (index >= arguments.size()) {
      throw new IllegalArgumentException(
          filter + " has " + arguments.size() + " arguments, and needs more. " + HELP);
    }
    return arguments.get(index);
  }

  private static byte[] bytes(String filter, List<String> arguments, int index) {
    String text = argument(filter, arguments, index);
    return BytesText.parse(text.startsWith(BINARY) ? text.substring(BINARY.length()) : text);
  }

  /** Returns the bytes with which an operator compares. */
  private static byte[] compared(String filter, List<String> arguments, int index) {
    String text = argument(filter, arguments, index);
    for (String comparator : OTHER_COMPARATORS) {
      if (text.startsWith(comparator)) {
        throw new IllegalArgumentException(
            filter
                + " compares with bytes only, not by "
                + comparator
                + " as in HBase; if these letters are part of the bytes, put text: before them");
      }
    }
    return bytes(filter, arguments, index);
  }

  private static boolean truth(String filter, String text) {
    if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
      throw new IllegalArgumentException(filter + " has " + text + ", expected true or false");
    }
    return text.equalsIgnoreCase("true");
  }

  private static CompareOperator operator(String filter, List<String> arguments, int index) {
    String text = argument(filter, arguments, index);
    CompareOperator operator = OPERATORS.get(text);
    if (operator == null) {
      throw new IllegalArgumentException(
          filter + " compares with " + text + ", expected one of = != < <= > >=");
    }
    return operator;
  }

  private static Set<Long> numbers(String filter, List<String> arguments) {
    Set<Long> numbers = new HashSet<>();
    for (String text : arguments) {
      try {
        numbers.add(Long.parseLong(text));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(filter + " has " + text + ", expected a number", e);
      }
    }
    return numbers;
  }

  private void skip() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean take(char wanted) {
    skip();
    if (at == text.length() || text.charAt(at) != wanted) {
      return false;
    }
    at++;
    skip();
    return true;
  }

  private void require(char wanted) {
    if (!take(wanted)) {
      throw wrong(String.valueOf(wanted));
    }
  }

  private boolean takeWord(String wanted) {
    skip();
    int end = at + wanted.length();
    boolean isThere =
        text.regionMatches(true, at, wanted, 0, wanted.length())
            && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)));
    if (isThere) {
      at = end;
      skip();
    }
    return isThere;
  }

  private String word() {
    skip();
    int begin = at;
    if (at < text.length() && (text.charAt(at) == '\'' || text.charAt(at) == '"')) {
      char quote = text.charAt(at++);
      while (at < text.length() && text.charAt(at) != quote) {
        at += text.charAt(at) == '\\' ? 2 : 1;
      }
      if (at >= text.length()) {
        at = text.length();
        throw wrong("a closing " + quote);
      }
      String quoted = text.substring(begin + 1, at++);
      skip();
      return quoted;
    }
    while (at < text.length()
        && !Character.isWhitespace(text.charAt(at))
        && ENDS_WORD.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    if (at == begin) {
      throw wrong("a word");
    }
    String word = text.substring(begin, at);
    skip();
    return word;
  }

  private IllegalArgumentException wrong(String expected) {
    String found = at >= text.length() ? "the end" : "\"" + text.substring(at) + "\"";
    return new IllegalArgumentException(
        "the filter " + text + " is not complete: expected " + expected + ", found " + found);
  }
}
