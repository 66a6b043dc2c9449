// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.report.HtmlReport;
import io.accordiondb.cli.text.ShellWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Where figures go besides the terminal: to a page, and to charts in files of their own. */
final class PageFlags {
  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "write a page with charts, too; a new file")
  private @Nullable Path html;

  @Option(
      names = "--plots",
      paramLabel = "FOLDER",
      description = "write its charts as files, too; files of their names are replaced")
  private @Nullable Path plots;

  @Option(names = "--force", description = "replace the page if it exists")
  private boolean force;

  /** Writes charts into a folder. */
  interface Charts {
    void write(Path folder) throws IOException;
  }

  /** Finds what is wrong before hours are spent on measuring; creates folders. */
  void check() throws IOException {
    if (html != null) {
      Path folder = html.toAbsolutePath().getParent();
      if (folder != null) {
        OutputPlace.checkOutsideDatabases(folder);
        Files.createDirectories(folder);
      }
      NewFile.checkCreation(html, force);
    }
    if (plots != null) {
      OutputPlace.checkOutsideDatabases(plots);
      Files.createDirectories(plots);
      OutputPlace.checkWritable(plots);
    }
  }

  /** Writes the requested page and charts. */
  void write(HtmlReport report, Charts charts) throws IOException {
    if (html != null) {
      try (NewFile page = NewFile.create(html, force)) {
        page.writer().write(report.html());
        page.complete();
      }
    }
    if (plots != null) {
      charts.write(plots);
    }
  }

  /** Returns how the command of a page was called. */
  static String commandLine(CommandSpec spec) {
    List<String> words = new ArrayList<>(List.of("./accordion", "bench", spec.name()));
    words.addAll(spec.commandLine().getParseResult().originalArgs());
    return ShellWords.join(words);
  }
}
