// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import io.accordiondb.hbase.client.catalog.Catalog;
import java.io.IOException;
import org.apache.hadoop.hbase.NamespaceDescriptor;

/** HBase's operations on namespaces. */
final class NamespaceOperations {
  private final Catalog catalog;

  NamespaceOperations(Catalog catalog) {
    this.catalog = catalog;
  }

  public void createNamespace(NamespaceDescriptor namespace) throws IOException {
    catalog.namespaces().create(namespace);
  }

  public void modifyNamespace(NamespaceDescriptor namespace) throws IOException {
    catalog.namespaces().modify(namespace);
  }

  public void deleteNamespace(String name) throws IOException {
    catalog.namespaces().delete(name);
  }

  public NamespaceDescriptor getNamespaceDescriptor(String name) throws IOException {
    return catalog.namespaces().get(name);
  }

  public String[] listNamespaces() throws IOException {
    return catalog.namespaces().list().stream()
        .map(NamespaceDescriptor::getName)
        .toArray(String[]::new);
  }

  public NamespaceDescriptor[] listNamespaceDescriptors() throws IOException {
    return catalog.namespaces().list().toArray(NamespaceDescriptor[]::new);
  }
}
