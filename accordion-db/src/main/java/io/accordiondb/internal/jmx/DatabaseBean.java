// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.jmx;

import io.accordiondb.DatabaseStatistics;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.jmx.DatabaseAttributes.Attribute;
import java.io.IOException;
import java.util.Map;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanConstructorInfo;
import javax.management.MBeanException;
import javax.management.MBeanInfo;
import javax.management.MBeanNotificationInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.ReflectionException;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.TabularData;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of one database as attributes, which can only be read, and as a page of text.
 * Attributes that are read together are of one moment. Thread-safe.
 */
final class DatabaseBean implements DynamicMBean {
  private static final String STORES = "stores";
  private static final String PAGE = "page";

  private final IoSupplier<DatabaseStatistics> statistics;
  private final Map<String, Attribute> attributes = DatabaseAttributes.all();

  DatabaseBean(IoSupplier<DatabaseStatistics> statistics) {
    this.statistics = statistics;
  }

  @Override
  public @Nullable Object getAttribute(String name)
      throws AttributeNotFoundException, MBeanException {
    return valueOf(name, now());
  }

  private DatabaseStatistics now() throws MBeanException {
    try {
      return statistics.get();
    } catch (IOException | RuntimeException e) {
      throw new MBeanException(new IllegalStateException(e.getMessage()));
    }
  }

  private @Nullable Object valueOf(String name, DatabaseStatistics now)
      throws AttributeNotFoundException, MBeanException {
    if (name.equals(STORES)) {
      try {
        return StoreRows.of(now);
      } catch (OpenDataException e) {
        throw new MBeanException(e);
      }
    }
    Attribute attribute = attributes.get(name);
    if (attribute == null) {
      throw new AttributeNotFoundException(name);
    }
    return attribute.value().apply(now);
  }

  @Override
  public AttributeList getAttributes(String[] names) {
    AttributeList list = new AttributeList();
    try {
      DatabaseStatistics now = now();
      for (String name : names) {
        addAttribute(list, name, now);
      }
    } catch (MBeanException e) {
      // The database is closed. By the rules of JMX, attributes that cannot be read are missing
      // from the list.
      list.clear();
    }
    return list;
  }

  private void addAttribute(AttributeList list, String name, DatabaseStatistics now)
      throws MBeanException {
    if (name.equals(STORES) || attributes.containsKey(name)) {
      try {
        list.add(new javax.management.Attribute(name, valueOf(name, now)));
      } catch (AttributeNotFoundException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Override
  public void setAttribute(javax.management.Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + " can only be read");
  }

  @Override
  public AttributeList setAttributes(AttributeList list) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String action, Object[] parameters, String[] signature)
      throws MBeanException, ReflectionException {
    if (!action.equals(PAGE)) {
      throw new ReflectionException(new NoSuchMethodException(action));
    }
    return now().toString();
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    MBeanAttributeInfo[] infos = new MBeanAttributeInfo[attributes.size() + 1];
    int at = 0;
    for (Map.Entry<String, Attribute> entry : attributes.entrySet()) {
      Attribute attribute = entry.getValue();
      infos[at++] =
          new MBeanAttributeInfo(
              entry.getKey(), attribute.type(), attribute.description(), true, false, false);
    }
    infos[at] =
        new MBeanAttributeInfo(
            STORES, TabularData.class.getName(), "each family of each region", true, false, false);
    MBeanOperationInfo page =
        new MBeanOperationInfo(
            PAGE,
            "all statistics as a page of text",
            new MBeanParameterInfo[0],
            String.class.getName(),
            MBeanOperationInfo.INFO);
    return new MBeanInfo(
        DatabaseBean.class.getName(),
        "the statistics of an Accordion database",
        infos,
        new MBeanConstructorInfo[0],
        new MBeanOperationInfo[] {page},
        new MBeanNotificationInfo[0]);
  }
}
