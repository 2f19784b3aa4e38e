/**
 * The purpose of a file. `production`: what the package does for its consumers. `fixture`: tests read it and rarely run
 * it, so the packages that it names need not exist. `sample`: a benchmark or an example, neither published nor tested.
 */
export type FileClass = 'production' | 'test' | 'config' | 'script' | 'sample' | 'fixture';

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;
/** Generated, vendored or minified code. */
const NOT_OURS = /[.-]min\.[cm]?js$|(?:^|\/)(?:dist|vendor|third_party|coverage|flow-typed|\.yarn)\/|(?:^|\/)\.pnp\.[\w.]+$/;

const SETTINGS =
  /(?:^|\/)(?:\.[\w.-]*rc(?:\.(?:json5?|ya?ml|[cm]?[jt]s))?|[\w.-]+\.config\.(?:json5?|ya?ml|[cm]?[jt]s)|[tj]sconfig[\w.-]*\.json)$/;
const CODE_OF_TOOLS = /(?:^|\/)(?:\.[\w.-]+|[\w.-]+\.conf|[gG]ulpfile[\w.-]*|[gG]runtfile|karma[\w.-]*|webpack[\w.-]*)\.[cm]?[jt]s$/;

const FIXTURE_FOLDER = /(?:^|\/)(?:__)?(?:[\w-]+-|test)?fixtures?(?:__)?\//;
const TEST_FOLDER = /(?:^|\/)(?:__(?!benchmarks__|performance_tests__)\w+__|tests?|specs?|e2e|cypress|test-\w+|[\w-]+[-_]tests?|testing)\//;
const TEST_FILE =
  /[.-](?:test|spec|e2e|cy|stories|test-d|tst|typetest|fixture)(?:\.d)?\.\w+$|(?:^|\/)(?:tests?|spec|test-?utils?|setup-?tests?|(?:vitest|jest|test)[.-](?:global[.-]?)?(?:setup|teardown)[\w.-]*)(?:\.d)?\.\w+$/i;
/** Folders whose names begin with a dot are for tools. */
const SCRIPT_FOLDER = /(?:^|\/)(?:\.[^/]+|scripts?|tools|tooling|tasks|docs?|website)\//;
const SAMPLE =
  /(?:^|\/)(?:(?:bench|(?:__)?benchmarks?(?:__)?|perf|__performance_tests__|examples?|demos?)\/|(?:bench(?:mark)?s?|examples?|demo)\.[cm]?[jt]sx?$)|\.bench\.[cm]?[jt]sx?$/;

/** Whether a file has code of the package that may import something. */
export function isCode(path: string): boolean {
  return CODE.test(path) && !NOT_OURS.test(path);
}

/** Whether a file has settings of a tool. */
export function isSettings(path: string): boolean {
  return SETTINGS.test(path);
}

/** Returns the class of a file, only from its path relative to the package's folder. */
export function classOf(path: string): FileClass {
  if (FIXTURE_FOLDER.test(path)) return 'fixture';
  if (TEST_FOLDER.test(path) || TEST_FILE.test(path)) return 'test';
  if (SAMPLE.test(path)) return 'sample';
  if (SCRIPT_FOLDER.test(path)) return 'script';
  return isSettings(path) || CODE_OF_TOOLS.test(path) ? 'config' : 'production';
}
