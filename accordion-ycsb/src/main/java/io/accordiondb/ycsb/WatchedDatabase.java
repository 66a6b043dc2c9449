// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import io.accordiondb.Database;
import io.accordiondb.dashboard.Dashboard;
import io.accordiondb.dashboard.DashboardOptions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** An open database with its dashboard, if the properties request one. */
final class WatchedDatabase implements Closeable {
  private final Database database;
  private final @Nullable Dashboard dashboard;

  private WatchedDatabase(Database database, @Nullable Dashboard dashboard) {
    this.database = database;
    this.dashboard = dashboard;
  }

  /** Opens a database, and prints the address of its dashboard. */
  static WatchedDatabase open(Path folder, StoreProperties properties) throws IOException {
    Database database = Database.open(folder, properties.options());
    String place = properties.text(StoreProperties.DASHBOARD, "");
    if (place.isEmpty()) {
      return new WatchedDatabase(database, null);
    }
    try {
      Dashboard dashboard = Dashboard.start(database, DashboardOptions.parse(place));
      System.err.println("dashboard: " + dashboard.uri());
      return new WatchedDatabase(database, dashboard);
    } catch (IOException | RuntimeException e) {
      database.close();
      throw e;
    }
  }

  Database database() {
    return database;
  }

  @Override
  public void close() throws IOException {
    if (dashboard != null) {
      dashboard.close();
    }
    database.close();
  }
}
