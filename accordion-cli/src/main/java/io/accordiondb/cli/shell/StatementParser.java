// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads statements. Belongs to one thread; used once.
 *
 * <pre>
 *   statement = word { [","] value | [","] option }      ends with a line, ";" or the text
 *   value     = word | "[" { value [","] } "]" | "{" { option [","] } "}"
 *   option    = word "=&gt;" value
 *   word      = 'text' | "text" | characters but blanks , ; [ ] { } ' " and =&gt;
 * </pre>
 *
 * <p>A line goes on in the next one behind a comma, within brackets, braces and quotes, and where a
 * backslash ends it. What follows a # that begins a word is a comment.
 */
final class StatementParser {
  private static final String ENDS_WORD = ",;[]{}'\"";

  /** Brackets and braces within each other; more are a mistake. */
  private static final int DEPTH_MAX = 16;

  private final String text;
  private int at;
  private int line = 1;

  private StatementParser(String text) {
    this.text = text;
  }

  /**
   * Reads all statements of a text.
   *
   * @throws IncompleteStatementException if it ends within one
   * @throws IllegalArgumentException if it is none
   */
  static List<Statement> parse(String text) {
    StatementParser parser = new StatementParser(text);
    List<Statement> statements = new ArrayList<>();
    Statement next = parser.next();
    while (next != null) {
      statements.add(next);
      next = parser.next();
    }
    return statements;
  }

  private @Nullable Statement next() {
    skip(true);
    while (at < text.length() && text.charAt(at) == ';') {
      at++;
      skip(true);
    }
    if (at == text.length()) {
      return null;
    }
    int firstLine = line;
    String name = word("a command");
    List<Value> arguments = new ArrayList<>();
    Map<String, Value> options = new LinkedHashMap<>();
    skip(false);
    while (!isEnd()) {
      if (text.charAt(at) == ',') {
        at++;
        skip(true);
        if (at == text.length()) {
          throw new IncompleteStatementException("a value behind the comma");
        }
      }
      argument(arguments, options);
      skip(false);
    }
    if (!options.isEmpty()) {
      arguments.add(new Value.Options(options));
    }
    return new Statement(name, List.copyOf(arguments), firstLine);
  }

  private boolean isEnd() {
    return at == text.length() || text.charAt(at) == ';' || text.charAt(at) == '\n';
  }

  private void argument(List<Value> arguments, Map<String, Value> options) {
    Value value = value(0);
    skip(false);
    if (value instanceof Value.Word name && text.startsWith("=>", at)) {
      at += 2;
      skip(true);
      put(options, name.text(), value(0));
    } else {
      arguments.add(value);
    }
  }

  private void put(Map<String, Value> options, String name, Value value) {
    if (options.putIfAbsent(name.toUpperCase(Locale.ROOT), value) != null) {
      throw syntax(name + " is given twice");
    }
  }

  private Value value(int depth) {
    if (at == text.length()) {
      throw new IncompleteStatementException("a value");
    }
    if (depth > DEPTH_MAX) {
      throw syntax("more than " + DEPTH_MAX + " brackets within each other");
    }
    return switch (text.charAt(at)) {
      case '[' -> items(depth);
      case '{' -> options(depth);
      default -> new Value.Word(word("a value"));
    };
  }

  private Value items(int depth) {
    List<Value> values = new ArrayList<>();
    at++;
    while (!closes(']')) {
      values.add(value(depth + 1));
    }
    return new Value.Items(List.copyOf(values));
  }

  private Value options(int depth) {
    Map<String, Value> options = new LinkedHashMap<>();
    at++;
    while (!closes('}')) {
      String name = word("a name");
      skip(true);
      if (at == text.length()) {
        throw new IncompleteStatementException("=> behind " + name);
      }
      if (!text.startsWith("=>", at)) {
        throw syntax("expected => behind " + name + ", found " + shown());
      }
      at += 2;
      skip(true);
      put(options, name, value(depth + 1));
    }
    return new Value.Options(options);
  }

  /** Skips what separates values; returns whether the closing character stands there. */
  private boolean closes(char closing) {
    skip(true);
    while (at < text.length() && text.charAt(at) == ',') {
      at++;
      skip(true);
    }
    if (at == text.length()) {
      throw new IncompleteStatementException("a closing " + closing);
    }
    if (text.charAt(at) != closing) {
      return false;
    }
    at++;
    return true;
  }

  private String word(String expected) {
    char first = text.charAt(at);
    if (first == '\'' || first == '"') {
      return quoted(first);
    }
    int begin = at;
    while (at < text.length()
        && !Character.isWhitespace(text.charAt(at))
        && ENDS_WORD.indexOf(text.charAt(at)) < 0
        && !continuesLine()
        && !text.startsWith("=>", at)) {
      at += text.startsWith("\\\\", at) ? 2 : 1;
    }
    if (at == begin) {
      throw syntax("expected " + expected + ", found " + shown());
    }
    return text.substring(begin, at);
  }

  private String quoted(char quote) {
    int begin = ++at;
    while (at < text.length() && text.charAt(at) != quote) {
      if (text.charAt(at) == '\n') {
        line++;
      }
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    if (at >= text.length()) {
      at = text.length();
      throw new IncompleteStatementException("a closing " + quote);
    }
    return text.substring(begin, at++);
  }

  /** Skips blanks, comments, and line ends if these do not end a statement. */
  private void skip(boolean linesToo) {
    while (at < text.length()) {
      char next = text.charAt(at);
      if (continuesLine()) {
        line++;
        at = Math.min(text.length(), at + 2);
        if (at == text.length()) {
          throw new IncompleteStatementException("the line behind the backslash");
        }
      } else if (next == '#') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (next == '\n' && linesToo) {
        line++;
        at++;
      } else if (next != '\n' && Character.isWhitespace(next)) {
        at++;
      } else {
        return;
      }
    }
  }

  /** Returns whether a backslash that ends the line, or the text so far, stands here. */
  private boolean continuesLine() {
    return text.charAt(at) == '\\' && (at + 1 == text.length() || text.charAt(at + 1) == '\n');
  }

  private String shown() {
    return at == text.length() ? "the end" : "\"" + text.charAt(at) + "\"";
  }

  private IllegalArgumentException syntax(String what) {
    return new IllegalArgumentException(
        what + " (line " + line + "); help shows how statements are written");
  }
}
