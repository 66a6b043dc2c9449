// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.engine.EngineOptions;
import io.accordiondb.bench.engine.EngineProvider;
import java.io.IOException;

/** Opens HBase's engines by their {@link EngineName}. */
public final class HBaseEngines implements EngineProvider {
  /** Creates the provider; to be found as a service. */
  public HBaseEngines() {}

  @Override
  public boolean provides(String name) {
    return name.startsWith(EngineName.PREFIX);
  }

  @Override
  public Engine open(String name, EngineOptions options) throws IOException {
    EngineName parsed = EngineName.of(name);
    return parsed.usesClient()
        ? new ClientEngine(parsed, options)
        : new RegionEngine(parsed, options);
  }
}
