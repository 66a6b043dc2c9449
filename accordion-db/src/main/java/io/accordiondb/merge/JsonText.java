// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.merge;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads and writes JSON texts (RFC 8259), as far as merge patches need it: an object is a {@link
 * LinkedHashMap} from names to values, an array a {@link List}, and everything else a {@link
 * Literal} that keeps its text, so numbers lose no digit. Belongs to one thread.
 */
final class JsonText {
  /** Null, a truth value, a number or a string, as it is written. */
  record Literal(String text) {
    static final Literal NULL = new Literal("null");
  }

  private static final int DEPTH_MAX = 512;

  private final String text;
  private int at;

  private JsonText(String text) {
    this.text = text;
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if it is not JSON in UTF-8, an object has a name twice, or it
   *     nests deeper than 512 levels; the message says where
   */
  static Object parse(byte[] utf8) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("a JSON text is not in UTF-8", e);
    }
    JsonText parser = new JsonText(text);
    parser.skipSpace();
    Object value = parser.value(0);
    if (parser.at < text.length()) {
      throw parser.malformed("the end");
    }
    return value;
  }

  /** Writes a text without white space. */
  static byte[] format(Object value) {
    StringBuilder text = new StringBuilder();
    append(value, text);
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void append(Object value, StringBuilder text) {
    if (value instanceof Literal literal) {
      text.append(literal.text);
      return;
    }
    String separator = "";
    if (value instanceof Map<?, ?> object) {
      text.append('{');
      for (Map.Entry<?, ?> member : object.entrySet()) {
        text.append(separator).append(quoted((String) member.getKey())).append(':');
        append(member.getValue(), text);
        separator = ",";
      }
      text.append('}');
    } else {
      text.append('[');
      for (Object element : (List<?>) value) {
        text.append(separator);
        append(element, text);
        separator = ",";
      }
      text.append(']');
    }
  }

  private static String quoted(String name) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  /** Reads a value and the white space after it. */
  private Object value(int depth) {
    if (depth > DEPTH_MAX) {
      throw malformed("at most " + DEPTH_MAX + " levels");
    }
    Object value =
        switch (peek()) {
          case '{' -> object(depth);
          case '[' -> array(depth);
          case '"' -> {
            int from = at;
            string();
            yield new Literal(text.substring(from, at));
          }
          case 't' -> word("true");
          case 'f' -> word("false");
          case 'n' -> word("null");
          default -> number();
        };
    skipSpace();
    return value;
  }

  private Map<String, Object> object(int depth) {
    Map<String, Object> object = new LinkedHashMap<>();
    take('{');
    if (peek() != '}') {
      do {
        skipSpace();
        int nameAt = at;
        String name = string();
        skipSpace();
        take(':');
        if (object.put(name, value(depth + 1)) != null) {
          at = nameAt;
          throw malformed("a name that the object does not have yet");
        }
      } while (takeIf(','));
    }
    take('}');
    return object;
  }

  private List<Object> array(int depth) {
    List<Object> array = new ArrayList<>();
    take('[');
    if (peek() != ']') {
      do {
        skipSpace();
        array.add(value(depth + 1));
      } while (takeIf(','));
    }
    take(']');
    return array;
  }

  /** Reads a string and returns its decoded value. */
  private String string() {
    if (peek() != '"') {
      throw malformed("a string");
    }
    at++;
    StringBuilder decoded = new StringBuilder();
    char c = next();
    while (c != '"') {
      if (c < ' ') {
        at--;
        throw malformed("no control character in a string");
      }
      decoded.append(c == '\\' ? escaped() : c);
      c = next();
    }
    return decoded.toString();
  }

  private char escaped() {
    char c = next();
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int code = 0;
        for (int i = 0; i < 4; i++) {
          char hex = next();
          int digit = hex < 128 ? Character.digit(hex, 16) : -1;
          if (digit < 0) {
            at--;
            throw malformed("a hexadecimal digit");
          }
          code = code << 4 | digit;
        }
        yield (char) code;
      }
      default -> {
        at--;
        throw malformed("an escaped character");
      }
    };
  }

  private Literal word(String word) {
    if (!text.startsWith(word, at)) {
      throw malformed(word);
    }
    at += word.length();
    return word.equals("null") ? Literal.NULL : new Literal(word);
  }

  private Literal number() {
    int from = at;
    takeRawIf('-');
    if (!takeRawIf('0')) {
      digits();
    }
    if (takeRawIf('.')) {
      digits();
    }
    if (takeRawIf('e') || takeRawIf('E')) {
      if (!takeRawIf('+')) {
        takeRawIf('-');
      }
      digits();
    }
    return new Literal(text.substring(from, at));
  }

  private void digits() {
    int from = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == from) {
      throw malformed("a value");
    }
  }

  private boolean takeRawIf(char c) {
    boolean there = at < text.length() && text.charAt(at) == c;
    if (there) {
      at++;
    }
    return there;
  }

  private boolean takeIf(char c) {
    boolean there = takeRawIf(c);
    skipSpace();
    return there;
  }

  private void take(char c) {
    if (!takeRawIf(c)) {
      throw malformed("'" + c + "'");
    }
    skipSpaceInside(c);
  }

  /**
   * Skips white space inside brackets. White space after a closing bracket is skipped by the reader
   * of the value.
   */
  private void skipSpaceInside(char c) {
    if (c != '}' && c != ']') {
      skipSpace();
    }
  }

  private char peek() {
    if (at == text.length()) {
      throw malformed("a value");
    }
    return text.charAt(at);
  }

  private char next() {
    if (at == text.length()) {
      throw malformed("the end of a string");
    }
    return text.charAt(at++);
  }

  private void skipSpace() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private IllegalArgumentException malformed(String expected) {
    return new IllegalArgumentException(
        "a JSON text has "
            + (at < text.length() ? "'" + text.charAt(at) + "'" : "its end")
            + " at character "
            + at
            + ", expected "
            + expected);
  }
}
