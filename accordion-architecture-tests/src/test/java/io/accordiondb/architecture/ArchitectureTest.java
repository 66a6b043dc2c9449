// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/** Which part may know which. The arrows point downwards only. */
@AnalyzeClasses(packages = "io.accordiondb", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String[] CORE = {
    "io.accordiondb.encoding..",
    "io.accordiondb.chunk..",
    "io.accordiondb.retention..",
    "io.accordiondb.memstore.."
  };
  private static final String INTERNAL = "io.accordiondb.internal..";
  private static final String HBASE_CLIENT = "io.accordiondb.hbase.client..";
  private static final String HBASE_DASHBOARD = "io.accordiondb.hbase.dashboard..";
  private static final String HBASE_TOOLS = "io.accordiondb.hbase.tools..";

  /**
   * Knows the engine and its storage: a disk that only measurements need is a storage around the
   * files, and the public interface takes none.
   */
  private static final String SIMULATED_DISK = "io.accordiondb.bench.disk";

  private static final String[] TOOLS = {
    "io.accordiondb.cli..",
    "io.accordiondb.backup..",
    "io.accordiondb.bench..",
    "io.accordiondb.dashboard..",
    "io.accordiondb.micrometer..",
    "io.accordiondb.kafka..",
    "io.accordiondb.ycsb..",
    HBASE_CLIENT,
    HBASE_DASHBOARD,
    HBASE_TOOLS
  };

  @ArchTest
  static final ArchRule memoryStoreKnowsNoDatabase =
      noClasses()
          .that()
          .resideInAnyPackage(CORE)
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.accordiondb..").and(not(resideInAnyPackage(CORE))));

  @ArchTest
  static final ArchRule memoryStoreDoesNoInputOutput =
      noClasses()
          .that()
          .resideInAnyPackage(CORE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.nio.file..", "java.nio.channels..", "java.net..");

  @ArchTest
  static final ArchRule databaseKnowsNoTools =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.accordiondb",
              "io.accordiondb.event..",
              "io.accordiondb.filter..",
              "io.accordiondb.inspect..",
              "io.accordiondb.merge..",
              "io.accordiondb.statistics..",
              "io.accordiondb.typed..",
              INTERNAL)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(TOOLS);

  @ArchTest
  static final ArchRule publicInterfaceKnowsNoImplementation =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.accordiondb",
              "io.accordiondb.event..",
              "io.accordiondb.filter..",
              "io.accordiondb.inspect..",
              "io.accordiondb.merge..",
              "io.accordiondb.statistics..",
              "io.accordiondb.typed..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(INTERNAL);

  @ArchTest
  static final ArchRule toolsUseThePublicInterfaceAlone =
      noClasses()
          .that()
          .resideInAnyPackage(TOOLS)
          .and()
          .resideOutsideOfPackage(SIMULATED_DISK)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(INTERNAL);

  @ArchTest
  static final ArchRule plugInKnowsOnlyTheMemoryStore =
      noClasses()
          .that()
          .resideInAPackage("io.accordiondb.hbase")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.accordiondb..")
                  .and(not(resideInAnyPackage(CORE)))
                  .and(not(resideInAPackage("io.accordiondb.hbase"))));

  @ArchTest
  static final ArchRule onlyTheHBaseModulesKnowHBase =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.accordiondb.hbase..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.hadoop..");

  @ArchTest
  static final ArchRule plugInTakesTheTimeFromHBase =
      noClasses()
          .that()
          .resideInAPackage("io.accordiondb.hbase")
          .should()
          .callMethod(System.class, "currentTimeMillis");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().assignedFrom(new Packages()).should().beFreeOfCycles();

  @ArchTest static final ArchRule storageKnowsNothingAbove = layerKnowsOnly("storage");

  @ArchTest static final ArchRule encryptionKnowsOnlyStorage = layerKnowsOnly("crypt", "storage");

  @ArchTest static final ArchRule recordsKnowOnlyStorage = layerKnowsOnly("record", "storage");

  @ArchTest static final ArchRule logKnowsOnlyRecords = layerKnowsOnly("wal", "record", "storage");

  @ArchTest
  static final ArchRule manifestKnowsOnlyRecords = layerKnowsOnly("manifest", "record", "storage");

  @ArchTest
  static final ArchRule sortedTablesKnowOnlyStorage =
      layerKnowsOnly("sstable", "cache", "pool", "storage");

  @ArchTest static final ArchRule countingKnowsNothing = layerKnowsOnly("metrics");

  @ArchTest static final ArchRule poolKnowsNothing = layerKnowsOnly("pool");

  @ArchTest static final ArchRule cacheKnowsNothing = layerKnowsOnly("cache", "pool");

  @ArchTest static final ArchRule readingKnowsNoFiles = layerKnowsOnly("read", "hash", "pool");

  @ArchTest
  static final ArchRule regionsKnowNoCommit =
      layerKnowsOnly("region", "read", "manifest", "sstable", "cache", "storage");

  @ArchTest
  static final ArchRule compactionKnowsNoCommit =
      layerKnowsOnly("compaction", "region", "read", "manifest");

  @ArchTest
  static final ArchRule commitKnowsNoTables = layerKnowsOnly("commit", "region", "wal", "hash");

  @ArchTest static final ArchRule clockKnowsNothing = layerKnowsOnly("clock");

  @ArchTest static final ArchRule pausesKnowNothing = layerKnowsOnly("pause");

  @ArchTest
  static final ArchRule catalogKnowsNoReadersAndWriters =
      layerKnowsOnly(
          "catalog",
          "commit",
          "region",
          "read",
          "manifest",
          "merge",
          "expiry",
          "wal",
          "sstable",
          "storage");

  @ArchTest static final ArchRule mergeOperatorsKnowNotWhereOperandsLie = layerKnowsOnly("merge");

  @ArchTest static final ArchRule filtersKnowNotWhereCellsLie = layerKnowsOnly("expiry");

  @ArchTest
  static final ArchRule maintenanceKnowsNoReadersAndWriters =
      layerKnowsOnly(
          "maintenance", "catalog", "clock", "commit", "compaction", "region", "manifest", "wal");

  @ArchTest
  static final ArchRule tablesKnowNotHowTheyAreOpened =
      layerKnowsOnly(
          "table", "maintenance", "catalog", "clock", "commit", "region", "read", "manifest");

  @ArchTest
  static final ArchRule transactionsKnowNotHowTablesAreOpened =
      layerKnowsOnly(
          "transaction", "table", "maintenance", "clock", "commit", "region", "read", "manifest");

  @ArchTest
  static final ArchRule whatFollowsTheLogKnowsNoEngine =
      layerKnowsOnly(
          "history", "table", "catalog", "commit", "wal", "region", "manifest", "storage");

  @ArchTest
  static final ArchRule onlyProvidersAndRepairsKnowTheEngine =
      noClasses()
          .that()
          .resideInAPackage(INTERNAL)
          .and()
          .resideOutsideOfPackages(
              "io.accordiondb.internal.engine..",
              "io.accordiondb.internal.repair..",
              "io.accordiondb.internal.provider..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.accordiondb.internal.engine..");

  @ArchTest
  static final ArchRule onlyStorageTouchesFiles =
      noClasses()
          .that()
          .resideInAPackage(INTERNAL)
          .and()
          .resideOutsideOfPackages(
              "io.accordiondb.internal.storage..",
              "io.accordiondb.internal.transfer..",
              "io.accordiondb.internal.engine..",
              "io.accordiondb.internal.folder..",
              "io.accordiondb.internal.repair..",
              "io.accordiondb.internal.inspect..",
              "io.accordiondb.internal.provider..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.nio.file..", "java.nio.channels..");

  @ArchTest
  static final ArchRule timeComesFromOutside =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.accordiondb.encoding..",
              "io.accordiondb.chunk..",
              "io.accordiondb.retention..",
              "io.accordiondb.memstore..",
              INTERNAL)
          .and()
          // Keys that anyone could foretell would be none.
          .resideOutsideOfPackage("io.accordiondb.internal.crypt")
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.util.Random.class);

  @ArchTest
  static final ArchRule signaturesShowNoImplementation =
      noMethods()
          .that()
          .arePublic()
          .and()
          .areDeclaredInClassesThat()
          .resideInAnyPackage(
              "io.accordiondb",
              "io.accordiondb.event..",
              "io.accordiondb.filter..",
              "io.accordiondb.inspect..",
              "io.accordiondb.merge..",
              "io.accordiondb.statistics..",
              "io.accordiondb.typed..")
          .should()
          .haveRawReturnType(resideInAPackage(INTERNAL));

  @ArchTest
  static final ArchRule noDrawersOfHelpers =
      noClasses()
          .should()
          .haveSimpleNameEndingWith("Util")
          .orShould()
          .haveSimpleNameEndingWith("Utils")
          .orShould()
          .haveSimpleNameEndingWith("Helper")
          .orShould()
          .haveSimpleNameEndingWith("Manager");

  /** Each package a slice of its own, the one of the public interface too. */
  private static final class Packages implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      return type.getPackageName().startsWith("io.accordiondb")
          ? SliceIdentifier.of(type.getPackageName())
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "packages";
    }
  }

  private static ArchRule layerKnowsOnly(String layer, String... below) {
    String[] allowed = new String[below.length + 6];
    allowed[0] = "io.accordiondb.internal." + layer + "..";
    allowed[1] = "io.accordiondb.internal.function..";
    allowed[2] = "io.accordiondb.internal.failure..";
    allowed[3] = "io.accordiondb.internal.metrics..";
    allowed[4] = "io.accordiondb.internal.pause..";
    allowed[5] = "io.accordiondb.internal.thread..";
    for (int i = 0; i < below.length; i++) {
      allowed[i + 6] = "io.accordiondb.internal." + below[i] + "..";
    }
    return noClasses()
        .that()
        .resideInAPackage("io.accordiondb.internal." + layer + "..")
        .should()
        .dependOnClassesThat(resideInAPackage(INTERNAL).and(not(resideInAnyPackage(allowed))));
  }
}
