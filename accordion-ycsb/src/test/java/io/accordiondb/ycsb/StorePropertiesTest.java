// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Compression;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.FileReading;
import io.accordiondb.LogWriting;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.MergeSchedule;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorePropertiesTest {
  /** Options whose property has another name than they have. */
  private static final Map<String, String> RENAMED =
      Map.of(
          "batchbytesmax", "writebytesmax",
          "asynclogdelay", "asynclogdelaymillis",
          "logretention", "logretentionmillis",
          "stallmax", "stallmaxmillis",
          "slowoperation", "slowoperationmillis");

  private static StoreProperties properties(String... pairs) {
    Properties properties = new Properties();
    for (int i = 0; i < pairs.length; i += 2) {
      properties.setProperty("accordion." + pairs[i], pairs[i + 1]);
    }
    return new StoreProperties(properties);
  }

  @Test
  void hasAPropertyForEveryOption() {
    for (Method option : DatabaseOptions.class.getDeclaredMethods()) {
      Class<?> type = option.getReturnType();
      if (Modifier.isPublic(option.getModifiers())
          && option.getParameterCount() == 0
          && (type.isPrimitive() || type.isEnum() || type == Duration.class)) {
        String name = option.getName().toLowerCase(Locale.ROOT);
        assertThat(properties().names()).contains("accordion." + RENAMED.getOrDefault(name, name));
      }
    }
  }

  @Test
  void setsWhatIsSetAndLeavesTheRestAsItIs() {
    DatabaseOptions options =
        properties(
                "memorybytes", "67108864",
                "durability", "async",
                "policy", "eager",
                "activefraction", "0.1",
                "pipelinesegments", "3",
                "threshold", "0.5",
                "mergeschedule", "all",
                "cells", "heap_chunks",
                "index", "array",
                "logcompression", "LZ4",
                "logwriting", "plain",
                "filereading", "mapped",
                "asynclogdelaymillis", "25",
                "readonly", "true")
            .options();
    assertThat(options.memoryBytes()).isEqualTo(64 << 20);
    assertThat(options.durability()).isEqualTo(Durability.ASYNC);
    assertThat(options.memStorePolicy())
        .isEqualTo(new MemStorePolicy(Policy.EAGER, 0.1, 3, 0.5, MergeSchedule.ALL));
    assertThat(options.experiment().segmentLayout())
        .isEqualTo(SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.ARRAY));
    assertThat(options.logCompression()).isEqualTo(Compression.LZ4);
    assertThat(options.logWriting()).isEqualTo(LogWriting.PLAIN);
    assertThat(options.fileReading()).isEqualTo(FileReading.MAPPED);
    assertThat(options.asyncLogDelay()).isEqualTo(Duration.ofMillis(25));
    assertThat(options.readOnly()).isTrue();
    assertThat(options.blockCacheBytes()).isEqualTo(DatabaseOptions.defaults().blockCacheBytes());
  }

  @Test
  void setsAttributesOfTheFamily() {
    FamilyDescriptor family =
        properties("family.compression", "ZSTD", "family.max-versions", "4")
            .table("t", "f")
            .families()
            .get(0);
    assertThat(family.compression()).isEqualTo(Compression.ZSTD);
    assertThat(family.versionRules().maxVersions()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "memorybyte=1",
        "memorybytes=much",
        "durability=sometimes",
        "threshold=x",
        "family.compresion=LZ4",
        "family.compression=ZIP"
      })
  void refusesWhatItDoesNotKnow(String pair) {
    String[] parts = pair.split("=");
    assertThatThrownBy(() -> properties(parts[0], parts[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(parts[0].substring(parts[0].indexOf('.') + 1));
  }

  /** The family ignores them. */
  @Test
  void refusesAttributesThatHaveNoEffectWithoutAnother() {
    Map<String, String> withMemory =
        FamilyDescriptor.builder("f")
            .memStorePolicy(MemStorePolicy.DEFAULT)
            .segmentLayout(SegmentLayout.DEFAULT)
            .build()
            .attributes();
    Map<String, String> own = new TreeMap<>(withMemory);
    own.keySet().removeAll(FamilyDescriptor.of("f").attributes().keySet());
    assertThat(own).hasSizeGreaterThan(7);
    Set<String> segments = Set.of("memstore-cells", "memstore-index", "memstore-filtered");
    own.forEach(
        (attribute, value) -> {
          boolean ofSegments = segments.contains(attribute);
          String needed = ofSegments ? "memstore-cells" : "memstore-policy";
          String neededValue = withMemory.get(needed);
          properties("family." + attribute, value, "family." + needed, neededValue);
          if (!attribute.equals(needed)) {
            assertThatThrownBy(() -> properties("family." + attribute, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("family." + attribute, "family." + needed);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"zipfian", "uniform"})
  void comesWithThePapersWorkloads(String distribution) throws Exception {
    String suffix = distribution.equals("uniform") ? "-uniform" : "";
    for (String kind : new String[] {"write-only", "read-write", "scan-write"}) {
      Properties workload = Workloads.of("paper-" + kind + suffix);
      assertThat(workload)
          .containsEntry("requestdistribution", distribution)
          .containsEntry("fieldcount", "4")
          .containsEntry("fieldlength", "25")
          .containsEntry("accordion.batchbytes", "10240");
      new StoreProperties(workload);
    }
  }

  @Test
  void comesWithAllWorkloadsItNames() throws Exception {
    for (String name : Workloads.NAMES) {
      Properties workload = Workloads.of(name);
      double sum = 0;
      for (String property : workload.stringPropertyNames()) {
        if (property.endsWith("proportion")) {
          sum += Double.parseDouble(workload.getProperty(property));
        }
      }
      assertThat(sum).as(name).isEqualTo(1);
    }
    assertThatThrownBy(() -> Workloads.of("workloadz"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("workloadz", "workloada");
  }
}
