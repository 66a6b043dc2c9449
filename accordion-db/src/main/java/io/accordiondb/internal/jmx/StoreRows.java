// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.jmx;

import io.accordiondb.DatabaseStatistics;
import io.accordiondb.memstore.MemStoreStatistics;
import io.accordiondb.statistics.StoreStatistics;
import io.accordiondb.statistics.TableStatistics;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;

/** The stores of a database as a table of JMX, a row for each family of each region. */
final class StoreRows {
  private static final String[] KEY = {"table", "family", "region"};

  private StoreRows() {}

  /** Returns the rows. */
  static TabularDataSupport of(DatabaseStatistics statistics) throws OpenDataException {
    CompositeType rowType = rowType();
    TabularDataSupport rows =
        new TabularDataSupport(
            new TabularType("Stores", "each family of each region", rowType, KEY));
    for (TableStatistics table : statistics.tables()) {
      for (StoreStatistics store : table.stores()) {
        rows.put(new CompositeDataSupport(rowType, values(store)));
      }
    }
    return rows;
  }

  private static Map<String, Object> values(StoreStatistics store) {
    MemStoreStatistics memory = store.memory();
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("table", store.table());
    values.put("family", store.family());
    values.put("region", store.region());
    values.put("memoryBytes", memory.usedBytes());
    values.put("activeBytes", memory.active().heldBytes());
    values.put("pipelineSegments", memory.pipelineSegments());
    values.put("policy", memory.policy().kind().name());
    values.put("throttle", memory.throttle());
    values.put("uniqueness", memory.uniqueness());
    values.put("lastDecision", memory.lastDecision());
    values.put("cellsEliminated", memory.cellsEliminated());
    values.put("files", store.files().count());
    values.put("fileBytes", store.files().bytes());
    return values;
  }

  private static CompositeType rowType() throws OpenDataException {
    Map<String, OpenType<?>> types = new LinkedHashMap<>();
    types.put("table", SimpleType.STRING);
    types.put("family", SimpleType.STRING);
    types.put("region", SimpleType.LONG);
    types.put("memoryBytes", SimpleType.LONG);
    types.put("activeBytes", SimpleType.LONG);
    types.put("pipelineSegments", SimpleType.INTEGER);
    types.put("policy", SimpleType.STRING);
    types.put("throttle", SimpleType.DOUBLE);
    types.put("uniqueness", SimpleType.DOUBLE);
    types.put("lastDecision", SimpleType.STRING);
    types.put("cellsEliminated", SimpleType.LONG);
    types.put("files", SimpleType.LONG);
    types.put("fileBytes", SimpleType.LONG);
    String[] names = types.keySet().toArray(String[]::new);
    return new CompositeType(
        "Store",
        "one family of one region",
        names,
        names,
        types.values().toArray(OpenType<?>[]::new));
  }
}
