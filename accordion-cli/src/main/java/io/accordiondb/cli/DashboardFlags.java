// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.dashboard.Dashboard;
import io.accordiondb.dashboard.DashboardOptions;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flag of commands that can show their work on a page in the browser. */
final class DashboardFlags {
  /** The beginning of the line that shows the address. */
  static final String ADDRESS = "dashboard: ";

  @Option(
      names = "--dashboard",
      arity = "0..1",
      fallbackValue = "0",
      paramLabel = "[HOST:]PORT",
      description =
          "serve a page that shows the store at work, and print its address (default: on this "
              + "machine alone, on any free port; --dashboard=8080 takes that one)")
  private @Nullable String place;

  /** Returns where the page is wanted; null if it is not. */
  @Nullable String place() {
    return place;
  }

  boolean isWanted() {
    return place != null;
  }

  /** Starts a dashboard that shows nothing yet, and prints its address. */
  Dashboard start(PrintWriter messages) throws IOException {
    Dashboard dashboard = Dashboard.start(DashboardOptions.parse(place == null ? "0" : place));
    messages.println(ADDRESS + dashboard.uri());
    messages.flush();
    return dashboard;
  }

  /** Keeps the page until Enter is pressed, or until standard input ends. */
  void awaitReader(PrintWriter messages) throws IOException {
    messages.println("The page stays until you press Enter.");
    messages.flush();
    int read;
    do {
      read = System.in.read();
    } while (read >= 0 && read != '\n');
  }
}
