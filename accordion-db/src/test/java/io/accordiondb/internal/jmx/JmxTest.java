// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.jmx;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.KeyValueStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JmxTest {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  @TempDir private Path folder;

  private Set<ObjectName> beans(String name) throws JMException {
    return server.queryNames(
        new ObjectName(
            "io.accordiondb:type=Database,name="
                + ObjectName.quote(folder.resolve(name).toString())
                + ",*"),
        null);
  }

  private Database open(String name, boolean readOnly) throws IOException {
    return Database.open(
        folder.resolve(name),
        DatabaseOptions.builder().memoryBytes(4 << 20).jmx(true).readOnly(readOnly).build());
  }

  @Test
  void theBeanShowsWhatTheStatisticsDo() throws IOException, JMException {
    try (Database database = open("one", false)) {
      KeyValueStore store = database.keyValueStore("s");
      store.put("key".getBytes(US_ASCII), new byte[10]);
      store.get("key".getBytes(US_ASCII));
      ObjectName bean = beans("one").iterator().next();
      String[] names =
          Arrays.stream(server.getMBeanInfo(bean).getAttributes())
              .map(MBeanAttributeInfo::getName)
              .toArray(String[]::new);
      List<Attribute> values = server.getAttributes(bean, names).asList();
      assertThat(values).hasSameSizeAs(names);
      for (int i = 0; i < names.length; i++) {
        MBeanAttributeInfo info = server.getMBeanInfo(bean).getAttributes()[i];
        assertThat(info.getDescription()).isNotEmpty();
        Object value = values.get(i).getValue();
        if (value != null && !(value instanceof TabularData)) {
          assertThat(value.getClass().getName()).as(names[i]).isEqualTo(info.getType());
        }
      }
      assertThat(server.getAttribute(bean, "writes.cells")).isEqualTo(1L);
      assertThat(server.getAttribute(bean, "operations.GET_MEMORY.count")).isEqualTo(1L);
      assertThat((Long) server.getAttribute(bean, "memory.usedBytes")).isPositive();
      TabularData stores = (TabularData) server.getAttribute(bean, "stores");
      CompositeData row = (CompositeData) stores.values().iterator().next();
      assertThat(row.get("table")).isEqualTo("s");
      assertThat(row.get("policy")).isEqualTo("ADAPTIVE");
      assertThat(server.invoke(bean, "page", new Object[0], new String[0]).toString())
          .contains("Table s: 1 region");
      assertThatThrownBy(() -> server.getAttribute(bean, "nothing"))
          .isInstanceOf(AttributeNotFoundException.class);
      assertThatThrownBy(() -> server.setAttribute(bean, new Attribute("writes.cells", 2L)))
          .isInstanceOf(AttributeNotFoundException.class);
    }
    assertThat(beans("one")).isEmpty();
  }

  @Test
  void attributesAreNamedLikeTheStatistics() {
    List<String> wanted = new ArrayList<>();
    for (RecordComponent part : DatabaseStatistics.class.getRecordComponents()) {
      if (isFigure(part.getType())) {
        wanted.add(part.getName());
      } else if (part.getType().isRecord()) {
        for (RecordComponent figure : part.getType().getRecordComponents()) {
          if (isFigure(figure.getType())) {
            wanted.add(part.getName() + "." + figure.getName());
          }
        }
      }
    }
    assertThat(wanted).hasSizeGreaterThan(40);
    assertThat(DatabaseAttributes.all().keySet()).containsAll(wanted);
  }

  private static boolean isFigure(Class<?> type) {
    return type.isPrimitive() || type.isEnum() || type == String.class;
  }

  @Test
  void severalDatabasesAndReadersOfOneFolderDoNotClash() throws IOException, JMException {
    try (Database first = open("one", false);
        Database second = open("two", false)) {
      assertThat(beans("one")).hasSize(1);
      assertThat(beans("two")).hasSize(1);
      second.keyValueStore("s");
      try (Database reader = open("two", true);
          Database another = open("two", true)) {
        assertThat(beans("two")).hasSize(3);
        assertThat(reader.exists("s")).isTrue();
        assertThat(another.exists("s")).isTrue();
      }
      assertThat(beans("two")).hasSize(1);
      assertThat(first.tables()).isEmpty();
    }
    assertThat(beans("one")).isEmpty();
    assertThat(beans("two")).isEmpty();
  }

  @Test
  void thereIsNoBeanUnlessAskedFor() throws IOException, JMException {
    try (Database database = Database.open(folder.resolve("plain"))) {
      assertThat(beans("plain")).isEmpty();
      assertThat(database.options().jmx()).isFalse();
    }
  }
}
