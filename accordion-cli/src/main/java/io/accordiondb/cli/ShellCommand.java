// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.Database;
import io.accordiondb.cli.StoreFlags.Opened;
import io.accordiondb.cli.shell.Shell;
import io.accordiondb.cli.shell.ShellMode;
import io.accordiondb.cli.shell.StatementException;
import io.accordiondb.cli.shell.TerminalShell;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code accordion shell}. */
@Command(
    name = "shell",
    mixinStandardHelpOptions = true,
    description =
        "Runs statements on a database: from the terminal, from -e and -f, or from standard input."
            + " The commands are those of HBase's shell; \"help\" lists them. A database that"
            + " another process has open, or whose folder cannot be written to, is read only, as it"
            + " is on disk. A script ends at the first"
            + " statement that fails.")
final class ShellCommand implements Callable<Integer> {
  /** System property that says whether standard input and output are a terminal. */
  private static final String INTERACTIVE = "accordion.interactive";

  private static final String STANDARD_INPUT = "-";

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private StoreFlags store = new StoreFlags();

  @Option(
      names = {"-e", "--execute"},
      paramLabel = "STATEMENTS",
      description = "run these statements; may be given several times")
  private List<String> statements = new ArrayList<>();

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "run the statements of a file, behind those of -e; - for standard input")
  private List<String> files = new ArrayList<>();

  @Option(names = "--read-only", description = "open the database for reading only")
  private boolean readOnly;

  @Option(names = "--create", description = "begin a database if the folder has none")
  private boolean create;

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description = "where lines that were typed are kept (default: .accordion_history at home)")
  private @Nullable Path history;

  @Override
  public Integer call() throws IOException, StatementException {
    if (readOnly && create) {
      throw new ParameterException(
          spec.commandLine(), "--create begins a database, which --read-only forbids; give one");
    }
    if (files.contains("")) {
      throw new ParameterException(
          spec.commandLine(), "-f is empty; give the path of a file, or - for standard input");
    }
    Opened opened = open();
    try (Database database = opened.database()) {
      PrintWriter out = spec.commandLine().getOut();
      for (String text : statements) {
        run(opened, "-e", new StringReader(text));
      }
      for (String file : files) {
        runFile(opened, file);
      }
      if (statements.isEmpty() && files.isEmpty()) {
        if (isInteractive()) {
          runTerminal(opened);
        } else {
          runFile(opened, STANDARD_INPUT);
        }
      }
      out.flush();
    }
    return 0;
  }

  private Opened open() throws IOException {
    if (readOnly) {
      return new Opened(store.openReadOnly(), ShellMode.READ_ONLY);
    }
    Opened opened = store.openAsFarAsPossible(create);
    @Nullable String notice =
        switch (opened.mode()) {
          case READ_ONLY_BESIDE_OWNER ->
              " is open in another process: reading its newest state on disk;"
                  + " \"refresh\" reads it again, writes are refused";
          case READ_ONLY_FOLDER -> " cannot be written to: reading it; writes are refused";
          case READ_ONLY, READ_WRITE -> null;
        };
    if (notice != null) {
      spec.commandLine().getErr().println(store.folder() + notice);
    }
    return opened;
  }

  private void runFile(Opened opened, String file) throws IOException, StatementException {
    if (file.equals(STANDARD_INPUT)) {
      run(opened, "standard input", decoded(System.in));
      return;
    }
    if (Files.isDirectory(Path.of(file))) {
      throw new FileSystemException(file, null, "Is a directory");
    }
    try (InputStream in = Files.newInputStream(Path.of(file));
        Reader script = decoded(in)) {
      run(opened, file, script);
    }
  }

  private static Reader decoded(InputStream in) {
    return new InputStreamReader(
        in, StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT));
  }

  private void run(Opened opened, String name, Reader script)
      throws IOException, StatementException {
    PrintWriter out = spec.commandLine().getOut();
    Shell.runScript(opened.database(), opened.mode(), store.json(), out, name, script);
  }

  private static boolean isInteractive() {
    String given = System.getProperty(INTERACTIVE);
    return given == null ? System.console() != null : Boolean.parseBoolean(given);
  }

  private void runTerminal(Opened opened) throws IOException {
    try (Terminal terminal = TerminalBuilder.builder().name("accordion").system(true).build()) {
      terminal.writer().println("help lists the commands; exit or Ctrl-D ends the shell");
      new TerminalShell(
              opened.database(),
              opened.mode(),
              store.json(),
              terminal,
              failure -> Failure.of(failure).sentence())
          .run(historyFile());
    }
  }

  /** Returns the file in which lines are kept, which other users cannot read. */
  private Path historyFile() throws IOException {
    Path file =
        history == null
            ? Path.of(System.getProperty("user.home", "."), ".accordion_history")
            : history;
    Path folder = file.toAbsolutePath().getParent();
    if (!Files.exists(file) && folder != null && Files.isWritable(folder)) {
      try {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      } catch (UnsupportedOperationException e) {
        Files.createFile(file);
      }
    }
    return file;
  }
}
