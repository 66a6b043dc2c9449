// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.jmx;

import io.accordiondb.DatabaseStatistics;
import io.accordiondb.internal.function.IoSupplier;
import java.io.Closeable;
import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the bean of a database at the platform's server while the database is open. A second
 * database of the same name, such as a read-only one, gets the key {@code instance} in its name.
 */
public final class BeanRegistration implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(BeanRegistration.class);

  private final MBeanServer server;
  private final ObjectName name;

  private BeanRegistration(MBeanServer server, ObjectName name) {
    this.server = server;
    this.name = name;
  }

  /**
   * Registers a bean. If that fails, it logs the failure, and the database works without the bean.
   *
   * @param database names the database
   * @return an object that unregisters the bean when it is closed
   */
  public static Closeable register(String database, IoSupplier<DatabaseStatistics> statistics) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    DatabaseBean bean = new DatabaseBean(statistics);
    for (int instance = 1; ; instance++) {
      try {
        ObjectName name = nameOf(database, instance);
        server.registerMBean(bean, name);
        return new BeanRegistration(server, name);
      } catch (InstanceAlreadyExistsException e) {
        LOG.debug("there is a bean of {} with instance {}", database, instance);
      } catch (JMException | SecurityException e) {
        LOG.warn("the statistics of {} cannot be read by JMX", database, e);
        return () -> {};
      }
    }
  }

  private static ObjectName nameOf(String database, int instance) throws JMException {
    return new ObjectName(
        "io.accordiondb:type=Database,name="
            + ObjectName.quote(database)
            + (instance == 1 ? "" : ",instance=" + instance));
  }

  @Override
  public void close() {
    try {
      server.unregisterMBean(name);
    } catch (JMException e) {
      LOG.warn("the bean {} was gone before the database was closed", name, e);
    }
  }
}
