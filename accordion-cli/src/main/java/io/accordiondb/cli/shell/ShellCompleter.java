// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.TableDescriptor;
import io.accordiondb.cli.shell.Command.Kind;
import io.accordiondb.cli.text.BytesText;
import io.accordiondb.filter.Filters;
import java.io.IOException;
import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Completes commands, tables, rows, columns and families. Belongs to one thread. */
final class ShellCompleter implements Completer {
  /** Rows that are offered at most. */
  private static final int ROWS_MAX = 20;

  private static final List<String> QUERY_OPTIONS =
      List.of(
          "STARTROW",
          "STOPROW",
          "PREFIX",
          "LIMIT",
          "REVERSED",
          "COLUMNS",
          "VERSIONS",
          "TIMERANGE",
          "TIMESTAMP",
          "FILTER",
          "SNAPSHOT",
          "KEYS",
          "VALUES");

  private final Session session;

  ShellCompleter(Session session) {
    this.session = session;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    int index = line.wordIndex();
    if (index == 0) {
      addCommands(candidates);
      return;
    }
    Command command = Commands.find(line.words().get(0));
    if (command == null || line.words().get(index - 1).equals("=>")) {
      return;
    }
    boolean isOption = index > command.kinds().size();
    if (isOption && command.kinds().contains(Kind.TABLE) && !command.writes()) {
      QUERY_OPTIONS.forEach(option -> candidates.add(new Candidate(option)));
    } else if (!isOption) {
      try {
        add(command.kinds().get(index - 1), line, candidates);
      } catch (IOException | IllegalArgumentException e) {
        // Nothing to offer; the statement itself will say why.
        candidates.clear();
      }
    }
  }

  private static void addCommands(List<Candidate> candidates) {
    for (Command command : Commands.all()) {
      candidates.add(
          new Candidate(command.name(), command.name(), null, command.summary(), null, null, true));
    }
  }

  private void add(Kind kind, ParsedLine line, List<Candidate> candidates) throws IOException {
    switch (kind) {
      case COMMAND -> addCommands(candidates);
      case TABLE -> {
        for (TableDescriptor table : session.database().tables()) {
          candidates.add(new Candidate(table.name()));
        }
      }
      case ROW -> addRows(line.words().get(1), line.word(), candidates);
      case COLUMN -> {
        for (String family : session.database().describe(line.words().get(1)).familyNames()) {
          candidates.add(new Candidate(family + ":", family + ":", null, null, null, null, false));
        }
      }
      case FAMILY -> {
        String table = line.words().get(line.wordIndex() - 1);
        for (String family : session.database().describe(table).familyNames()) {
          candidates.add(new Candidate(family));
        }
      }
      case OTHER -> candidates.clear();
    }
  }

  private void addRows(String table, String begun, List<Candidate> candidates) throws IOException {
    Scan scan =
        new Scan()
            .setRowPrefix(BytesText.parse(begun))
            .setLimit(ROWS_MAX)
            .setFilter(Filters.and(Filters.firstKeyOnly(), Filters.keyOnly()));
    try (ResultScanner scanner = session.table(table).scan(scan)) {
      for (Result row : scanner) {
        candidates.add(new Candidate(BytesText.format(row.row())));
      }
    }
  }
}
