// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.TableDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableName;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamespacesTest {
  @TempDir Path folder;

  @Test
  void namespacesSurviveReopeningWithTheirConfiguration() throws IOException {
    NamespaceDescriptor first = NamespaceDescriptor.create("ns").addConfiguration("k", "1").build();
    try (Database database = Database.open(folder)) {
      Namespaces namespaces = Catalog.open(database).namespaces();
      namespaces.create(first);
      namespaces.create(NamespaceDescriptor.create("other").build());
      namespaces.modify(NamespaceDescriptor.create("ns").addConfiguration("k", "2").build());
      namespaces.delete("other");
    }
    try (Database database = Database.open(folder)) {
      Namespaces namespaces = Catalog.open(database).namespaces();
      assertThat(namespaces.list())
          .extracting(NamespaceDescriptor::getName)
          .containsExactly("default", "hbase", "ns");
      assertThat(namespaces.get("ns").getConfigurationValue("k")).isEqualTo("2");
    }
  }

  @Test
  void theNamespacesThatAlwaysExistCanBeModified() throws IOException {
    for (String name : List.of("default", "hbase")) {
      try (Database database = Database.open(folder)) {
        Namespaces namespaces = Catalog.open(database).namespaces();
        namespaces.modify(NamespaceDescriptor.create(name).addConfiguration("k", "1").build());
      }
      try (Database database = Database.open(folder)) {
        Namespaces namespaces = Catalog.open(database).namespaces();
        assertThat(namespaces.get(name).getConfigurationValue("k")).isEqualTo("1");
        assertThat(namespaces.list()).hasSize(2);
      }
    }
  }

  @Test
  void aNamespaceThatAllowsNothingIsRefused() throws IOException {
    try (Database database = Database.inMemory()) {
      Namespaces namespaces = Catalog.open(database).namespaces();
      namespaces.create(NamespaceDescriptor.create("ns").build());
      for (String quota : List.of("maxtables", "maxregions")) {
        for (String value : List.of("0", "-1", "x")) {
          String key = "hbase.namespace.quota." + quota;
          assertRefused(key, () -> namespaces.create(namespace("other", key, value)));
          assertRefused(key, () -> namespaces.modify(namespace("ns", key, value)));
        }
        namespaces.modify(namespace("ns", "hbase.namespace.quota." + quota, "1"));
      }
      assertThat(namespaces.list()).hasSize(3);
    }
  }

  private static NamespaceDescriptor namespace(String name, String key, String value) {
    return NamespaceDescriptor.create(name).addConfiguration(key, value).build();
  }

  private static void assertRefused(String key, ThrowingCallable change) {
    assertThatThrownBy(change).isInstanceOf(DoNotRetryIOException.class).hasMessageContaining(key);
  }

  @Test
  void wrongRequestsThrowWhatHBaseThrows() throws IOException {
    try (Database database = Database.inMemory()) {
      Namespaces namespaces = Catalog.open(database).namespaces();
      NamespaceDescriptor ns = NamespaceDescriptor.create("ns").build();
      namespaces.create(ns);
      assertThatThrownBy(() -> namespaces.create(ns)).isInstanceOf(NamespaceExistException.class);
      assertThatThrownBy(() -> namespaces.create(NamespaceDescriptor.create("a-b").build()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> namespaces.get("none"))
          .isInstanceOf(NamespaceNotFoundException.class);
      assertThatThrownBy(() -> namespaces.delete("none"))
          .isInstanceOf(NamespaceNotFoundException.class);
      assertThatThrownBy(() -> namespaces.modify(NamespaceDescriptor.create("none").build()))
          .isInstanceOf(NamespaceNotFoundException.class);
      assertThatThrownBy(() -> namespaces.delete("hbase"))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("Reserved namespace hbase cannot be removed");
    }
  }

  @Test
  void aNamespaceOfATableThatTheOtherInterfaceMadeExists() throws IOException {
    try (Database database = Database.inMemory()) {
      database.createTable(TableDescriptor.of("-ns.t", "f"));
      Catalog catalog = Catalog.open(database);
      assertThat(catalog.exists(TableName.valueOf("ns:t"))).isTrue();
      assertThat(catalog.namespaces().get("ns").getName()).isEqualTo("ns");
      assertThatThrownBy(() -> catalog.namespaces().delete("ns"))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("Namespace ns has 1 tables");
    }
  }
}
