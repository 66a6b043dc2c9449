// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard;

import io.accordiondb.Database;
import io.accordiondb.dashboard.internal.http.AccessToken;
import io.accordiondb.dashboard.internal.http.DashboardServer;
import io.accordiondb.dashboard.internal.sample.Sampler;
import java.io.IOException;
import java.net.URI;

/**
 * A small web server whose one page shows databases at work. It changes nothing: there is no
 * request that could. Thread-safe. Runs on daemon threads until {@link #close}.
 *
 * <p>Only someone who has its address, {@link #uri}, can read it, because the address holds a
 * random token. While no page is open the dashboard reads the figures once a second, for the ten
 * minutes that a page shows when it opens.
 *
 * <pre>{@code
 * try (Database database = Database.open(folder);
 *     Dashboard dashboard = Dashboard.start(database, DashboardOptions.DEFAULT)) {
 *   System.out.println(dashboard.uri());
 *   ...
 * }
 * }</pre>
 */
public final class Dashboard implements AutoCloseable {
  /** Characters of a name of a database. */
  private static final int NAME_LENGTH_MAX = 100;

  private final Sampler sampler;
  private final DashboardServer server;

  private Dashboard(Sampler sampler, DashboardServer server) {
    this.sampler = sampler;
    this.server = server;
  }

  /**
   * Starts a dashboard that shows one database.
   *
   * @throws IOException if the server cannot listen on the address or the port
   */
  public static Dashboard start(Database database, DashboardOptions options) throws IOException {
    Dashboard dashboard = start(options);
    dashboard.show("database", database::statistics);
    return dashboard;
  }

  /**
   * Starts a dashboard that shows nothing yet.
   *
   * @throws IOException if the server cannot listen on the address or the port
   */
  public static Dashboard start(DashboardOptions options) throws IOException {
    Sampler sampler = new Sampler();
    try {
      DashboardServer server =
          DashboardServer.start(
              options.address(),
              options.port(),
              options.hostNames(),
              options.viewersMax(),
              AccessToken.random(),
              sampler);
      sampler.start();
      return new Dashboard(sampler, server);
    } catch (IOException | RuntimeException e) {
      sampler.close();
      throw e;
    }
  }

  /**
   * Shows a database. Two of them appear side by side. A database of the same name is replaced, and
   * the figures go on from there: so a database that was closed and opened again is shown as one.
   *
   * @param name how the page names it, 1 to 100 characters
   * @param source where its figures come from
   */
  public void show(String name, StatisticsSource source) {
    if (name.isBlank() || name.length() > NAME_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "the name \"" + name + "\" has " + name.length() + " characters, expected 1 to 100");
    }
    sampler.show(name, source::statistics);
  }

  /** Returns the address of the page, with its token. */
  public URI uri() {
    return server.uri();
  }

  /** Ends the server and all that it shows. Closing again has no effect. */
  @Override
  public void close() {
    server.close();
    sampler.close();
  }
}
