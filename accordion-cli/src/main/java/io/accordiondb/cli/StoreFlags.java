// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands on a database have in common. */
final class StoreFlags {
  @Parameters(index = "0", paramLabel = "FOLDER", description = "folder of the database")
  private Path folder = Path.of("");

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  Path folder() {
    return folder;
  }

  boolean json() {
    return json;
  }

  /** Prints what a command has done. */
  void print(PrintWriter out, Map<String, ?> result) throws IOException {
    if (json) {
      out.println(Json.write(result));
    } else {
      result.forEach((name, value) -> out.println(name + ": " + value));
    }
  }

  /** Opens the database, which must exist. */
  Database open() throws IOException {
    return Database.open(folder, DatabaseOptions.builder().createIfMissing(false).build());
  }

  /** Opens the database for reading alone; it may be in use. */
  Database openReadOnly() throws IOException {
    return Database.open(folder, DatabaseOptions.builder().readOnly(true).build());
  }
}
