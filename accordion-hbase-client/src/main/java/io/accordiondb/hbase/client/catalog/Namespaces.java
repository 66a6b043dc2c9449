// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/**
 * The namespaces: {@code default} and {@code hbase}, those that were created, and those of tables
 * that were created through the database's own interface. Thread-safe.
 */
public final class Namespaces {
  private static final String NAMESPACES = "n/";

  /** What a namespace may set to the most regions and tables that it may have. */
  private static final List<String> QUOTAS =
      List.of("hbase.namespace.quota.maxregions", "hbase.namespace.quota.maxtables");

  private final CatalogState state;
  private volatile Map<String, NamespaceDescriptor> created;

  private Namespaces(CatalogState state, Map<String, NamespaceDescriptor> created) {
    this.state = state;
    this.created = created;
  }

  static Namespaces load(CatalogState state) throws IOException {
    Map<String, NamespaceDescriptor> created = new TreeMap<>();
    for (Map.Entry<String, byte[]> entry : state.system().load(NAMESPACES).entrySet()) {
      String name = entry.getKey();
      created.put(name, decode(NAMESPACES + name, entry.getValue()));
    }
    return new Namespaces(state, created);
  }

  /**
   * {@return all namespaces in the order of their names}
   *
   * @throws IOException if the storage fails
   */
  public List<NamespaceDescriptor> list() throws IOException {
    Map<String, NamespaceDescriptor> all = new TreeMap<>();
    all.put(NamespaceDescriptor.DEFAULT_NAMESPACE.getName(), NamespaceDescriptor.DEFAULT_NAMESPACE);
    all.put(NamespaceDescriptor.SYSTEM_NAMESPACE.getName(), NamespaceDescriptor.SYSTEM_NAMESPACE);
    all.putAll(created);
    for (TableName table : state.names()) {
      String name = table.getNamespaceAsString();
      all.computeIfAbsent(name, any -> NamespaceDescriptor.create(name).build());
    }
    return new ArrayList<>(all.values());
  }

  /**
   * {@return a namespace}
   *
   * @param name the name
   * @throws NamespaceNotFoundException if there is no such namespace
   * @throws IOException if the storage fails
   */
  public NamespaceDescriptor get(String name) throws IOException {
    for (NamespaceDescriptor namespace : list()) {
      if (namespace.getName().equals(name)) {
        return namespace;
      }
    }
    throw new NamespaceNotFoundException(name);
  }

  /**
   * Creates a namespace.
   *
   * @param namespace the namespace
   * @throws NamespaceExistException if there is one with this name
   * @throws IllegalArgumentException if HBase does not allow the name
   * @throws DoNotRetryIOException if it allows no table or no region
   * @throws IOException if the storage fails
   */
  public void create(NamespaceDescriptor namespace) throws IOException {
    String name = namespace.getName();
    TableName.isLegalNamespaceName(name.getBytes(StandardCharsets.UTF_8));
    state.alone(
        () -> {
          if (exists(name)) {
            throw new NamespaceExistException(name);
          }
          checkQuotas(namespace);
          put(namespace);
        });
  }

  /**
   * Changes the configuration of a namespace.
   *
   * @param namespace the namespace with its new configuration
   * @throws NamespaceNotFoundException if there is no namespace with this name
   * @throws DoNotRetryIOException if it allows no table or no region
   * @throws IOException if the storage fails
   */
  public void modify(NamespaceDescriptor namespace) throws IOException {
    state.alone(
        () -> {
          get(namespace.getName());
          checkQuotas(namespace);
          put(namespace);
        });
  }

  /**
   * Deletes an empty namespace.
   *
   * @param name the name
   * @throws NamespaceNotFoundException if there is no such namespace
   * @throws DoNotRetryIOException if it has tables, or always exists
   * @throws IOException if the storage fails
   */
  public void delete(String name) throws IOException {
    state.alone(
        () -> {
          checkNotReserved(name);
          get(name);
          long tables =
              state.names().stream()
                  .filter(table -> table.getNamespaceAsString().equals(name))
                  .count();
          if (tables > 0) {
            throw refusal(
                "Only empty namespaces can be removed. Namespace "
                    + name
                    + " has "
                    + tables
                    + " tables");
          }
          state.system().delete(NAMESPACES + name);
          Map<String, NamespaceDescriptor> next = new TreeMap<>(created);
          next.remove(name);
          created = next;
        });
  }

  /**
   * Returns the exception of HBase's master. It is a {@code ConstraintException} if that class,
   * which is part of HBase's server, is on the class path; otherwise its superclass.
   */
  private static DoNotRetryIOException refusal(String message) {
    try {
      return Class.forName("org.apache.hadoop.hbase.constraint.ConstraintException")
          .asSubclass(DoNotRetryIOException.class)
          .getConstructor(String.class)
          .newInstance(message);
    } catch (ReflectiveOperationException | LinkageError e) {
      return new DoNotRetryIOException(message);
    }
  }

  private boolean exists(String name) throws IOException {
    return list().stream().anyMatch(namespace -> namespace.getName().equals(name));
  }

  private static void checkNotReserved(String name) throws DoNotRetryIOException {
    if (NamespaceDescriptor.RESERVED_NAMESPACES.contains(name)) {
      throw refusal("Reserved namespace " + name + " cannot be removed.");
    }
  }

  private static void checkQuotas(NamespaceDescriptor namespace) throws DoNotRetryIOException {
    for (String quota : QUOTAS) {
      String value = namespace.getConfigurationValue(quota);
      try {
        if (value != null && !value.isEmpty() && Long.parseLong(value) <= 0) {
          throw refusal(
              quota + " of namespace " + namespace.getName() + " is less than or equal to zero.");
        }
      } catch (NumberFormatException e) {
        throw new DoNotRetryIOException(
            quota + " of namespace " + namespace.getName() + " is no number: " + value, e);
      }
    }
  }

  private void put(NamespaceDescriptor namespace) throws IOException {
    byte[] fields = ProtobufUtil.toProtoNamespaceDescriptor(namespace).toByteArray();
    state
        .system()
        .put(
            NAMESPACES + namespace.getName(),
            StoredRecords.encode(out -> StoredRecords.writeBytes(out, fields)));
    Map<String, NamespaceDescriptor> next = new TreeMap<>(created);
    next.put(namespace.getName(), namespace);
    created = next;
  }

  private static NamespaceDescriptor decode(String key, byte[] value) throws IOException {
    return StoredRecords.decode(
        key,
        value,
        in ->
            ProtobufUtil.toNamespaceDescriptor(
                HBaseProtos.NamespaceDescriptor.parseFrom(StoredRecords.readBytes(in))));
  }
}
