// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.cli.text.BytesText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The arguments of a statement, which its command takes one by one. Belongs to one thread. */
final class Arguments {
  /** The option that makes others those of a family. */
  static final String NAME = "NAME";

  private final Command command;
  private final List<Value> values = new ArrayList<>();
  private final Map<String, Value> options = new LinkedHashMap<>();

  /** Options in braces that have a name, which are those of a family. */
  private final List<Map<String, Value>> named = new ArrayList<>();

  private final Set<String> asked = new HashSet<>();

  /** Takes the arguments apart; the options of all braces count together. */
  Arguments(Command command, Statement statement) {
    this.command = command;
    for (Value value : statement.arguments()) {
      if (value instanceof Value.Options found && found.values().containsKey(NAME)) {
        named.add(found.values());
      } else if (value instanceof Value.Options found) {
        found.values().forEach(this::putOnce);
      } else {
        values.add(value);
      }
    }
  }

  private void putOnce(String name, Value value) {
    if (options.putIfAbsent(name, value) != null) {
      throw wrong(name + " is given twice");
    }
  }

  /** Returns the number of arguments, options aside. */
  int size() {
    return values.size();
  }

  boolean has(int index) {
    return index < values.size();
  }

  /** Returns the arguments from a place on. */
  List<Value> from(int index) {
    return values.subList(Math.min(index, values.size()), values.size());
  }

  /**
   * Checks that nothing was given that the command did not ask for.
   *
   * @param max how many arguments it takes at most
   */
  void check(int max) {
    if (values.size() > max) {
      throw wrong(
          command.name() + " takes " + max + " arguments at most, and here are " + values.size());
    }
    Set<String> unknown = new TreeSet<>(options.keySet());
    named.forEach(block -> unknown.addAll(block.keySet()));
    unknown.removeAll(asked);
    if (!unknown.isEmpty()) {
      throw wrong(
          command.name()
              + " has no option "
              + unknown.iterator().next()
              + (asked.isEmpty() ? "" : "; it has " + String.join(", ", new TreeSet<>(asked))));
    }
  }

  /** Returns a name. */
  String name(int index, String what) {
    return word(value(index, what), what);
  }

  /** Returns bytes in any encoding. */
  byte[] bytes(int index, String what) {
    return bytes(value(index, what), what);
  }

  /** Returns a number. */
  long number(int index, String what) {
    return number(value(index, what), what);
  }

  /** Returns the column, which stands behind a table and a row. */
  Column column() {
    return Column.parse(name(2, "a column"));
  }

  /** Returns the braces that have a name in them, and takes their options as known. */
  List<Map<String, Value>> named() {
    named.forEach(block -> asked.addAll(block.keySet()));
    return named;
  }

  /** Returns all options that were not asked for by name, and takes them as known. */
  Map<String, Value> otherOptions() {
    Map<String, Value> others = new LinkedHashMap<>(options);
    others.keySet().removeAll(asked);
    asked.addAll(others.keySet());
    return others;
  }

  @Nullable Value option(String name) {
    asked.add(name);
    return options.get(name);
  }

  /** Returns the value of an option that was given under one of its names, or null. */
  @Nullable Value optionOf(String... names) {
    Value found = null;
    for (String name : names) {
      Value value = option(name);
      if (found != null && value != null) {
        throw wrong(name + " is another name of an option that is given, too");
      }
      found = found == null ? value : found;
    }
    return found;
  }

  /** Returns the bytes of an option, or null. */
  byte @Nullable [] bytesOption(String... names) {
    Value value = optionOf(names);
    return value == null ? null : bytes(value, names[0]);
  }

  /** Returns the number of an option, or another one if it was not given. */
  long numberOption(String name, long absent) {
    Value value = option(name);
    return value == null ? absent : number(value, name);
  }

  /** Returns the text of an option, or null. */
  @Nullable String wordOption(String name) {
    Value value = option(name);
    return value == null ? null : word(value, name);
  }

  /** Returns whether an option is true. */
  boolean flag(String name) {
    String text = wordOption(name);
    if (text == null || text.equalsIgnoreCase("false")) {
      return false;
    }
    if (!text.equalsIgnoreCase("true")) {
      throw wrong(name + " is " + text + ", expected true or false");
    }
    return true;
  }

  /** Returns the values of an option that may be one or several in brackets. */
  List<Value> listOption(String... names) {
    Value value = optionOf(names);
    if (value == null) {
      return List.of();
    }
    return value instanceof Value.Items items ? items.values() : List.of(value);
  }

  String word(Value value, String what) {
    if (value instanceof Value.Word word) {
      return word.text();
    }
    throw wrong(what + " must be a word");
  }

  byte[] bytes(Value value, String what) {
    return BytesText.parse(word(value, what));
  }

  long number(Value value, String what) {
    String text = word(value, what);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(what + " is \"" + text + "\", expected a number", e);
    }
  }

  <E extends Enum<E>> E choice(Class<E> type, String text, String what) {
    try {
      return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          what + " is \"" + text + "\", expected one of " + List.of(type.getEnumConstants()), e);
    }
  }

  private Value value(int index, String what) {
    if (index >= values.size()) {
      throw wrong(command.name() + " needs " + what);
    }
    return values.get(index);
  }

  /** Returns an error that also says how the command is used. */
  IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(what + "; usage: " + command.synopsis());
  }
}
