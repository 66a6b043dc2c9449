// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.ycsb.EngineClient;
import io.accordiondb.ycsb.AccordionClient;
import java.io.IOException;
import java.util.List;
import java.util.Properties;
import site.ycsb.Client;
import site.ycsb.DBException;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * Checks the properties of a run before YCSB's client starts: the client's threads would print the
 * mistake and end, and the process would end as if it had succeeded.
 */
final class YcsbCheck {
  private static final long THREADS_MAX = 10_000;
  private static final long SECONDS_MAX = 86_400;

  /** Whole numbers, 0 or more, that YCSB parses without saying which property it is about. */
  private static final List<String> LONG_COUNTS =
      List.of(Workload.INSERT_START_PROPERTY, CoreWorkload.FIELD_COUNT_PROPERTY);

  /** Such numbers for which YCSB has 32 bits. */
  private static final List<String> COUNTS =
      List.of(
          Client.OPERATION_COUNT_PROPERTY,
          Client.INSERT_COUNT_PROPERTY,
          Client.TARGET_PROPERTY,
          Client.MAX_EXECUTION_TIME,
          CoreWorkload.FIELD_LENGTH_PROPERTY,
          CoreWorkload.MIN_SCAN_LENGTH_PROPERTY,
          CoreWorkload.MAX_SCAN_LENGTH_PROPERTY,
          CoreWorkload.ZERO_PADDING_PROPERTY);

  private static final List<String> PROPORTIONS =
      List.of(
          CoreWorkload.READ_PROPORTION_PROPERTY,
          CoreWorkload.UPDATE_PROPORTION_PROPERTY,
          CoreWorkload.INSERT_PROPORTION_PROPERTY,
          CoreWorkload.SCAN_PROPORTION_PROPERTY,
          CoreWorkload.READMODIFYWRITE_PROPORTION_PROPERTY);

  /** Records with which a workload is tried: with all of them its preparation may take minutes. */
  private static final long RECORDS_TRIED = 1000;

  private YcsbCheck() {}

  /**
   * Checks all properties, and opens the store once.
   *
   * @param embedded whether the store is the embedded one
   * @throws IllegalArgumentException if a property is missing or wrong
   * @throws IOException if the store cannot be opened
   */
  static void check(Properties properties, boolean embedded) throws IOException, DBException {
    // Without a number of insertions, YCSB takes it from the records.
    boolean insertsAll = properties.getProperty(Client.INSERT_COUNT_PROPERTY) == null;
    checkNumber(
        properties,
        Client.RECORD_COUNT_PROPERTY,
        1,
        insertsAll ? Integer.MAX_VALUE : Long.MAX_VALUE);
    checkNumber(properties, Client.THREAD_COUNT_PROPERTY, 1, THREADS_MAX);
    checkNumber(properties, YcsbCommand.STATUS_INTERVAL, 1, SECONDS_MAX);
    COUNTS.forEach(name -> checkNumber(properties, name, 0, Integer.MAX_VALUE));
    LONG_COUNTS.forEach(name -> checkNumber(properties, name, 0, Long.MAX_VALUE));
    PROPORTIONS.forEach(name -> checkProportion(properties, name));
    checkWorkload(properties);
    if (embedded) {
      AccordionClient client = new AccordionClient();
      client.setProperties(properties);
      client.init();
      client.cleanup();
    } else {
      EngineClient.check(properties);
    }
  }

  private static void checkNumber(Properties properties, String name, long min, long max) {
    String text = properties.getProperty(name);
    if (text == null) {
      return;
    }
    long number;
    try {
      number = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is \"" + text + "\", expected a whole number", e);
    }
    Limits.check(name, number, min, max);
  }

  private static void checkProportion(Properties properties, String name) {
    String text = properties.getProperty(name, "0");
    double proportion;
    try {
      proportion = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      proportion = Double.NaN;
    }
    if (!(proportion >= 0)) {
      throw new IllegalArgumentException(name + " is \"" + text + "\", expected 0 or more");
    }
  }

  private static void checkWorkload(Properties properties) {
    String name = properties.getProperty(Client.WORKLOAD_PROPERTY);
    if (name == null) {
      throw new IllegalArgumentException(
          "no file given with -P sets the property workload; YCSB's own have " + coreWorkload());
    }
    try {
      Class<?> type = Class.forName(name);
      if (!Workload.class.isAssignableFrom(type)) {
        throw new ClassNotFoundException(name + " is another class");
      }
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalArgumentException(
          "workload is \"" + name + "\", which is no workload; YCSB's own have " + coreWorkload(),
          e);
    }
    if (name.equals(coreWorkload())) {
      tryWorkload(properties);
    }
  }

  private static String coreWorkload() {
    return CoreWorkload.class.getName();
  }

  private static void tryWorkload(Properties properties) {
    Properties few = new Properties();
    few.putAll(properties);
    few.setProperty(Client.RECORD_COUNT_PROPERTY, Long.toString(RECORDS_TRIED));
    few.remove(Workload.INSERT_START_PROPERTY);
    few.remove(Workload.INSERT_COUNT_PROPERTY);
    Measurements.setProperties(few);
    try {
      new CoreWorkload().init(few);
    } catch (WorkloadException | RuntimeException e) {
      throw new IllegalArgumentException("YCSB refuses the workload: " + e.getMessage(), e);
    }
  }
}
