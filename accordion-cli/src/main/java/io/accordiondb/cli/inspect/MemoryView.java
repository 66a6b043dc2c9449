// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.inspect;

import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.top.Reading;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;

/**
 * Prints the memory contents of a database in a live process, as reported by its bean. Used once.
 */
final class MemoryView {
  private static final String BEANS = "io.accordiondb:type=Database,*";
  private static final String MEMORY = "memory.";
  private static final String STORES = "stores";

  private final InspectOutput out;

  MemoryView(InspectOutput out) {
    this.out = out;
  }

  void print() throws IOException {
    Path folder = out.wishes().folder();
    try (OwnerProcess process = OwnerProcess.of(folder)) {
      print(process.beans(), folder, process.pid());
    }
  }

  /** Prints what the beans of a process say of the database in a folder. */
  void print(MBeanServerConnection beans, Path folder, long pid) throws IOException {
    try {
      ObjectName bean = find(beans, folder, pid);
      out.json("process", new Fields().with("pid", pid));
      out.line("process " + pid);
      out.fields("memory", memory(beans, bean));
      out.line("");
      if (names(beans, bean).anyMatch(STORES::equals)
          && beans.getAttribute(bean, STORES) instanceof TabularData stores) {
        out.items("store", rows(stores));
      }
    } catch (JMException e) {
      throw new IOException("process " + pid + " does not report its memory: " + e.getMessage(), e);
    }
  }

  private static ObjectName find(MBeanServerConnection beans, Path folder, long pid)
      throws IOException, JMException {
    Set<ObjectName> all = new TreeSet<>(beans.queryNames(new ObjectName(BEANS), null));
    for (ObjectName each : all) {
      String quoted = each.getKeyProperty("name");
      if (quoted != null && Reading.isSame(ObjectName.unquote(quoted), folder)) {
        return each;
      }
    }
    throw new IOException(
        "process "
            + pid
            + " has no figures of "
            + folder
            + (all.isEmpty()
                ? "; open the database there with DatabaseOptions.builder().jmx(true)"
                : "; it has those of " + all));
  }

  private static Stream<String> names(MBeanServerConnection beans, ObjectName bean)
      throws IOException, JMException {
    return Stream.of(beans.getMBeanInfo(bean).getAttributes()).map(MBeanAttributeInfo::getName);
  }

  private static Fields memory(MBeanServerConnection beans, ObjectName bean)
      throws IOException, JMException {
    String[] names =
        names(beans, bean).filter(name -> name.startsWith(MEMORY)).toArray(String[]::new);
    Fields fields = new Fields();
    for (Attribute attribute : beans.getAttributes(bean, names).asList()) {
      fields.with(attribute.getName().substring(MEMORY.length()), attribute.getValue());
    }
    return fields;
  }

  private static List<Fields> rows(TabularData stores) {
    List<Fields> rows = new ArrayList<>();
    // JMX sorts the columns by their names; what names the store comes first.
    List<String> key = stores.getTabularType().getIndexNames();
    for (Object value : stores.values()) {
      CompositeData row = (CompositeData) value;
      Fields fields = new Fields();
      key.forEach(name -> fields.with(name, row.get(name)));
      for (String name : row.getCompositeType().keySet()) {
        if (!key.contains(name)) {
          fields.with(name, row.get(name));
        }
      }
      rows.add(fields);
    }
    rows.sort((a, b) -> a.map().values().toString().compareTo(b.map().values().toString()));
    return rows;
  }
}
