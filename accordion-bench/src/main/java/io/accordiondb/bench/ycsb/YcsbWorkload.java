// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.ycsb;

import io.accordiondb.bench.engine.Engine;
import io.accordiondb.ycsb.ValueOperations;
import io.accordiondb.ycsb.Workloads;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.Client;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * One of YCSB's core workloads on sessions of an engine, without YCSB's client. Thread-safe; each
 * thread has an {@link Operator}.
 */
public final class YcsbWorkload {
  private static final int FIELDS = 10;

  private final CoreWorkload workload;

  /**
   * Prepares a workload.
   *
   * @param name one of {@link Workloads#NAMES}
   * @param records how many are inserted first
   * @param operations how many follow, about
   * @param recordBytes length of a record's ten fields together
   * @throws IOException if the workload cannot be prepared
   */
  public YcsbWorkload(String name, long records, long operations, int recordBytes)
      throws IOException {
    Properties properties = Workloads.of(name);
    properties.setProperty(Client.RECORD_COUNT_PROPERTY, Long.toString(records));
    properties.setProperty(Client.OPERATION_COUNT_PROPERTY, Long.toString(operations));
    int fieldBytes = Math.max(1, recordBytes / FIELDS);
    properties.setProperty(CoreWorkload.FIELD_COUNT_PROPERTY, Integer.toString(FIELDS));
    properties.setProperty(CoreWorkload.FIELD_LENGTH_PROPERTY, Integer.toString(fieldBytes));
    // A workload asks for these when it is made.
    Measurements.setProperties(properties);
    workload = new CoreWorkload();
    try {
      workload.init(properties);
    } catch (WorkloadException e) {
      throw new IOException("YCSB's " + name + " cannot be prepared", e);
    }
  }

  /** Returns the work of one thread, which becomes the owner of the session. */
  public Operator operator(Engine.Session session) {
    return new Operator(session);
  }

  /** The work of one thread. An operation that fails, or finds no record, throws. */
  public final class Operator implements Closeable {
    private final ValueOperations values;
    private final DB db;

    private Operator(Engine.Session session) {
      values = new ValueOperations(new SessionValues(session, () -> {}));
      db = new CheckedDb(values);
    }

    /** Inserts the next record. */
    public void insert() throws IOException {
      check(() -> workload.doInsert(db, this));
    }

    /** Does one operation of the workload. */
    public void operate() throws IOException {
      check(() -> workload.doTransaction(db, this));
    }

    @Override
    public void close() throws IOException {
      values.close();
    }
  }

  /** A step of the workload, which returns whether it was done. */
  private interface Step {
    boolean run();
  }

  private static void check(Step step) throws IOException {
    try {
      if (!step.run()) {
        throw new IOException("YCSB's workload has given an operation up");
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** A store of which no operation fails unheard, as YCSB's workload would let it. */
  private static final class CheckedDb extends DB {
    private final ValueOperations values;

    CheckedDb(ValueOperations values) {
      this.values = values;
    }

    @Override
    public Status read(
        String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
      return done(() -> values.read(table, key, fields, result));
    }

    @Override
    public Status scan(
        String table,
        String startKey,
        int count,
        @Nullable Set<String> fields,
        Vector<HashMap<String, ByteIterator>> result) {
      return done(() -> values.scan(table, startKey, count, fields, result));
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> changed) {
      return done(() -> values.update(table, key, changed));
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> inserted) {
      return done(() -> values.insert(table, key, inserted));
    }

    @Override
    public Status delete(String table, String key) {
      return done(() -> values.delete(table, key));
    }

    private interface Operation {
      Status run() throws IOException;
    }

    private static Status done(Operation operation) {
      try {
        Status status = operation.run();
        if (!status.isOk()) {
          throw new IOException("an operation of YCSB's workload ended with " + status);
        }
        return status;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
