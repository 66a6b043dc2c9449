// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that {@code --version} prints: that of the pom, which the build has filled in. */
final class BuildVersion implements IVersionProvider {
  private static final String FILE = "version.properties";

  @Override
  public String[] getVersion() throws IOException {
    Properties properties = new Properties();
    try (InputStream file = BuildVersion.class.getResourceAsStream(FILE)) {
      properties.load(Objects.requireNonNull(file, FILE));
    }
    return new String[] {Main.NAME + " " + properties.getProperty("version")};
  }
}
