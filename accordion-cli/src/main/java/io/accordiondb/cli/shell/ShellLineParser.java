// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import java.util.ArrayList;
import java.util.List;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/** Reports to the line editor whether a statement is complete, and which word is being typed. */
final class ShellLineParser implements Parser {
  private static final String SEPARATORS = ",;[]{}";

  @Override
  public ParsedLine parse(String line, int cursor, ParseContext context) {
    if (context != ParseContext.COMPLETE) {
      try {
        List<Statement> unused = StatementParser.parse(line);
      } catch (IncompleteStatementException e) {
        throw new EOFError(-1, -1, e.getMessage(), "");
      } catch (IllegalArgumentException e) {
        // Reported when it is run.
        return words(line, cursor);
      }
    }
    return words(line, cursor);
  }

  /** Returns the words up to the cursor; the last one is being written and may be empty. */
  private static ParsedLine words(String line, int cursor) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    int begin = cursor;
    char quote = 0;
    boolean begun = false;
    for (int i = 0; i < cursor; i++) {
      char next = line.charAt(i);
      boolean isBlank = Character.isWhitespace(next) || SEPARATORS.indexOf(next) >= 0;
      if (quote != 0 && next != quote) {
        word.append(next);
      } else if (quote != 0) {
        quote = 0;
      } else if ((next == '\'' || next == '"') && !begun) {
        quote = next;
        begun = true;
        begin = i;
      } else if (isBlank) {
        if (begun) {
          words.add(word.toString());
        }
        if (next == ';' || next == '\n') {
          words.clear();
        }
        word.setLength(0);
        begun = false;
      } else {
        begin = begun ? begin : i;
        word.append(next);
        begun = true;
      }
    }
    words.add(word.toString());
    return new Words(line, cursor, words, line.substring(begun ? begin : cursor, cursor));
  }

  /** Words, the last one also as it is written, with its quote if it has one. */
  private record Words(String line, int cursor, List<String> words, String raw)
      implements CompletingParsedLine {
    @Override
    public CharSequence escape(CharSequence candidate, boolean complete) {
      boolean isQuoted = !raw.isEmpty() && (raw.charAt(0) == '\'' || raw.charAt(0) == '"');
      char quote = isQuoted ? raw.charAt(0) : '\'';
      String text = candidate.toString();
      if (!isQuoted && text.chars().noneMatch(Words::needsQuotes)) {
        return text;
      }
      return quote + text.replace(String.valueOf(quote), "\\" + quote) + (complete ? quote : "");
    }

    private static boolean needsQuotes(int character) {
      return Character.isWhitespace(character)
          || "\"'#=".indexOf(character) >= 0
          || SEPARATORS.indexOf(character) >= 0;
    }

    @Override
    public int rawWordCursor() {
      return raw.length();
    }

    @Override
    public int rawWordLength() {
      return raw.length();
    }

    @Override
    public String word() {
      return words.get(words.size() - 1);
    }

    @Override
    public int wordCursor() {
      return word().length();
    }

    @Override
    public int wordIndex() {
      return words.size() - 1;
    }
  }
}
