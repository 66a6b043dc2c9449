// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.top;

import io.accordiondb.inspect.Inspector;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import org.jspecify.annotations.Nullable;

/**
 * A process in which databases are open, of this user on this machine. Its figures come from JMX
 * only. None of its files is read, and the only change in the process is that it starts its local
 * JMX agent. Not thread-safe.
 */
public final class LiveProcess implements Closeable {
  private static final String DATABASES = "io.accordiondb:type=Database,*";
  private static final String STORES = "stores";
  private static final String LOCK = "LOCK";

  private final long pid;
  private final MBeanServerConnection beans;
  private final @Nullable JMXConnector connector;

  private LiveProcess(long pid, MBeanServerConnection beans, @Nullable JMXConnector connector) {
    this.pid = pid;
    this.beans = beans;
    this.connector = connector;
  }

  /**
   * Returns the number of the process in which the database of a folder is open.
   *
   * @throws IOException if it is open in none
   */
  public static long owner(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      throw new NoSuchFileException(folder.toString());
    }
    if (!Files.exists(folder.resolve(LOCK))) {
      throw new IOException("there is no database in " + folder + ", or no process has it open");
    }
    return Inspector.owner(folder)
        .orElseThrow(
            () ->
                new IOException(
                    "no process has the database in "
                        + folder
                        + " open; \"accordion store info\" reads it"));
  }

  /**
   * Connects to a process.
   *
   * @throws IOException if there is no such process, if it is not of this user, or if it is no Java
   */
  public static LiveProcess connect(long pid) throws IOException {
    if (pid == ProcessHandle.current().pid()) {
      return new LiveProcess(pid, ManagementFactory.getPlatformMBeanServer(), null);
    }
    if (ProcessHandle.of(pid).isEmpty()) {
      throw new IOException("there is no process " + pid);
    }
    JMXConnector connector;
    try {
      connector = LocalAgent.connect(pid);
    } catch (IOException e) {
      throw new IOException(
          "process "
              + pid
              + " cannot be looked into: it is not a Java process of this user, or it refuses ("
              + e.getMessage()
              + ")",
          e);
    }
    return new LiveProcess(pid, connector.getMBeanServerConnection(), connector);
  }

  public long pid() {
    return pid;
  }

  /**
   * Reads the figures of all databases that are open, by name.
   *
   * @throws IOException if the process has ended
   */
  public List<Reading> read() throws IOException {
    try {
      Set<ObjectName> names = beans.queryNames(new ObjectName(DATABASES), null);
      List<Reading> readings = new ArrayList<>();
      for (ObjectName name : names) {
        Reading reading = read(name);
        if (reading != null) {
          readings.add(reading);
        }
      }
      readings.sort(Comparator.comparing(Reading::database));
      return readings;
    } catch (IOException | JMException e) {
      throw new IOException("process " + pid + " does not answer any more; it may have ended", e);
    }
  }

  /** Returns a database's figures; null if it has been closed. */
  private @Nullable Reading read(ObjectName name) throws IOException, JMException {
    try {
      String[] attributes =
          Arrays.stream(beans.getMBeanInfo(name).getAttributes())
              .map(MBeanAttributeInfo::getName)
              .toArray(String[]::new);
      AttributeList found = beans.getAttributes(name, attributes);
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      List<Map<String, Object>> stores = List.of();
      for (Attribute attribute : found.asList()) {
        if (attribute.getName().equals(STORES)) {
          stores = rows((TabularData) attribute.getValue());
        } else {
          values.put(attribute.getName(), attribute.getValue());
        }
      }
      String folder = ObjectName.unquote(name.getKeyProperty("name"));
      String instance = name.getKeyProperty("instance");
      String database = folder + (instance == null ? "" : " (" + instance + ")");
      return values.isEmpty()
          ? null
          : new Reading(database, folder, System.nanoTime(), values, stores);
    } catch (InstanceNotFoundException e) {
      return null;
    }
  }

  private static List<Map<String, Object>> rows(TabularData table) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Object value : table.values()) {
      CompositeData row = (CompositeData) value;
      Map<String, Object> columns = new LinkedHashMap<>();
      for (String column : table.getTabularType().getRowType().keySet()) {
        columns.put(column, row.get(column));
      }
      rows.add(columns);
    }
    rows.sort(
        Comparator.comparing((Map<String, Object> row) -> memoryOf(row))
            .reversed()
            .thenComparing(Object::toString));
    return rows;
  }

  private static long memoryOf(Map<String, Object> row) {
    return row.get("memoryBytes") instanceof Long bytes ? bytes : 0;
  }

  @Override
  public void close() throws IOException {
    if (connector != null) {
      connector.close();
    }
  }
}
