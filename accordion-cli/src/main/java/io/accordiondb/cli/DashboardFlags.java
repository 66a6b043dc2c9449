// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.dashboard.Dashboard;
import io.accordiondb.dashboard.DashboardOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flag of commands that can show what they do as a page in the browser. */
final class DashboardFlags {
  private static final int PORT_MAX = 65535;

  @Option(
      names = "--dashboard",
      arity = "0..1",
      fallbackValue = "0",
      paramLabel = "[ADDRESS:]PORT",
      description = {
        "serve a page that shows the store at work, and print its address (default: on this",
        "machine alone, on any free port; --dashboard=8080 takes that one)"
      })
  private @Nullable String place;

  boolean isWanted() {
    return place != null;
  }

  /** Starts a dashboard that shows nothing yet, and prints its address. */
  Dashboard start(PrintWriter messages) throws IOException {
    Dashboard dashboard = Dashboard.start(options());
    messages.println("dashboard: " + dashboard.uri());
    messages.flush();
    return dashboard;
  }

  private DashboardOptions options() {
    String text = place == null ? "0" : place;
    int colon = text.lastIndexOf(':');
    DashboardOptions.Builder options = DashboardOptions.builder().port(port(text, colon));
    if (colon >= 0) {
      String host = text.substring(0, colon).replaceAll("^\\[|]$", "");
      try {
        options.address(InetAddress.getByName(host));
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException(
            "--dashboard is " + text + ", but there is no host " + host, e);
      }
      options.hostName(host);
    }
    return options.build();
  }

  private static int port(String text, int colon) {
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (port >= 0 && port <= PORT_MAX) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "--dashboard is " + text + ", expected a port from 0 to 65535, or ADDRESS:PORT");
  }

  /** Keeps the page until somebody presses Enter, or until there is nobody who could. */
  void awaitReader(PrintWriter messages) throws IOException {
    messages.println("The page stays until you press Enter.");
    messages.flush();
    int read;
    do {
      read = System.in.read();
    } while (read >= 0 && read != '\n');
  }
}
