// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.cli.text.Encoding;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryViewTest {
  private static final long PID = 7;

  @TempDir Path folder;

  private final StringWriter text = new StringWriter();

  /** A bean with figures as that of a database has. */
  private static final class Bean implements DynamicMBean {
    @Override
    public Object getAttribute(String name) {
      return switch (name) {
        case "stores" -> stores();
        case "memory.usedBytes" -> 42L;
        default -> "other";
      };
    }

    private static TabularDataSupport stores() {
      String[] names = {"bytes", "family", "policy", "table"};
      OpenType<?>[] types = {
        SimpleType.LONG, SimpleType.STRING, SimpleType.STRING, SimpleType.STRING
      };
      try {
        CompositeType row = new CompositeType("Store", "store", names, names, types);
        TabularDataSupport rows =
            new TabularDataSupport(
                new TabularType("Stores", "stores", row, new String[] {"table", "family"}));
        rows.put(new CompositeDataSupport(row, names, new Object[] {9L, "f", "EAGER", "users"}));
        return rows;
      } catch (OpenDataException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public AttributeList getAttributes(String[] names) {
      AttributeList list = new AttributeList();
      for (String name : names) {
        list.add(new Attribute(name, getAttribute(name)));
      }
      return list;
    }

    @Override
    public MBeanInfo getMBeanInfo() {
      MBeanAttributeInfo[] attributes = {
        new MBeanAttributeInfo("log.bytes", "java.lang.Long", "log", true, false, false),
        new MBeanAttributeInfo("memory.usedBytes", "java.lang.Long", "used", true, false, false),
        new MBeanAttributeInfo(
            "stores", "javax.management.openmbean.TabularData", "s", true, false, false)
      };
      return new MBeanInfo("Bean", "figures", attributes, null, null, null);
    }

    @Override
    public void setAttribute(Attribute attribute) {
      throw new UnsupportedOperationException();
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object invoke(String action, Object[] arguments, String[] signature) {
      throw new UnsupportedOperationException();
    }
  }

  private MemoryView view(boolean json) {
    return new MemoryView(
        new InspectOutput(
            new PrintWriter(text),
            new PrintWriter(text),
            json,
            new InspectOutput.Wishes(folder, null, false, false, Encoding.TEXT, Encoding.TEXT)));
  }

  @Test
  void showsMemoryAndStoresOfTheRightDatabase() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name =
        new ObjectName("io.accordiondb:type=Database,name=" + ObjectName.quote(folder.toString()));
    server.registerMBean(new Bean(), name);
    try {
      view(false).print(server, folder, PID);
      assertThat(text.toString())
          .contains("process 7", "usedBytes  42", "table  family", "users", "EAGER")
          .doesNotContain("log");
      text.getBuffer().setLength(0);
      view(true).print(server, folder, PID);
      assertThat(text.toString())
          .contains("{\"type\":\"memory\",\"usedBytes\":42}")
          .contains("{\"type\":\"store\",\"table\":\"users\",\"family\":\"f\",");
      Path other = Files.createDirectory(folder.resolve("other"));
      assertThatThrownBy(() -> view(false).print(server, other, PID))
          .hasMessageContaining("process 7 has no figures of " + other);
    } finally {
      server.unregisterMBean(name);
    }
    assertThatThrownBy(() -> view(false).print(server, folder, PID))
        .hasMessageContaining("open the database there with DatabaseOptions.builder().jmx(true)");
  }

  @Test
  void saysThatNobodyHasTheDatabaseOpen() throws IOException {
    assertThatThrownBy(() -> view(false).print())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no process has " + folder + " open");
    Files.writeString(folder.resolve("LOCK"), "nonsense");
    assertThatThrownBy(() -> view(false).print())
        .hasMessageContaining("no process has " + folder + " open");
  }

  @Test
  void saysThatAProcessLetsNobodyIn() throws IOException {
    // A JVM does not attach to itself.
    try (Database database = Database.open(folder)) {
      assertThatThrownBy(() -> view(false).print())
          .hasMessageContaining(ProcessHandle.current().pid() + ", which has " + folder + " open");
    }
  }
}
