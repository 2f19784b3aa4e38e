import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProcess } from '@tributary/test-repo/run-cli';
import { type Hosted, readTemplate, type Trouble } from './hosted.fixture.js';

const STEPS = fileURLToPath(new URL('jenkins-steps.fixture.groovy', import.meta.url));

/** What became of a build. */
export interface Build {
  /** `null` for a success. */
  readonly problem: string | null;
  /** The branches of `parallel` that got an agent, in the order they began. */
  readonly machines: readonly string[];
  /** Those that were reached: `passed` or `failed`. */
  readonly stages: Readonly<Record<string, string>>;
  /** What scripts printed, by stage. */
  readonly printed: Readonly<Record<string, string>>;
}

export interface BuildOptions {
  /** Branches of `parallel` that are cancelled before they begin. */
  readonly canceled?: readonly string[];
  /** Only these branches run. */
  readonly only?: readonly string[];
  /** The last commit of the branch whose build was a success. */
  readonly previous?: string;
  /** What Jenkins sets for a pull request: `CHANGE_ID`, `CHANGE_TARGET`, `BRANCH_NAME`. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The jars of the Groovy that npm-groovy-lint brings, as a class path; `undefined` if it lies somewhere else, or there is no Java. */
export function groovyOf(lint: string): string | undefined {
  const jars = join(dirname(realpathSync(lint)), 'java/groovy/lib');
  const hasJava = (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'java')));
  return hasJava && existsSync(jars) ? join(jars, '*') : undefined;
}

/** A multibranch project whose Jenkinsfile Groovy really runs. Its agents keep their workspaces from build to build. */
export class JenkinsProject {
  private readonly hosted: Hosted;
  private readonly groovy: string;
  private readonly environment: Readonly<Record<string, string>>;
  private readonly folder: string;
  private builds = 0;

  constructor(hosted: Hosted, groovy: string, { shards, trouble }: { readonly shards: number; readonly trouble?: Trouble | undefined }) {
    this.hosted = hosted;
    this.groovy = groovy;
    this.environment = hosted.environment(shards, trouble);
    this.folder = hosted.folder();
    mkdirSync(join(this.folder, 'agents'));
    // With the tool under test in place of the published one.
    writeFileSync(
      join(this.folder, 'Jenkinsfile'),
      readTemplate('jenkins/Jenkinsfile').replace("String affected = ''", `String affected = '${hosted.affected}'`),
    );
  }

  /** Runs one more build. */
  async build({ canceled = [], only, previous, variables = {} }: BuildOptions = {}): Promise<Build> {
    this.builds += 1;
    const result = join(this.folder, 'result.json');
    const settings = {
      result,
      canceled,
      only: only ?? null,
      previous: previous ?? null,
      commit: this.hosted.commit,
      repository: `file://${this.hosted.repo.repo.path}`,
      agents: join(this.folder, 'agents'),
      env: {
        ...this.environment,
        JENKINS_URL: 'http://localhost/',
        BUILD_NUMBER: String(this.builds),
        BRANCH_NAME: 'topic',
        AFFECTED_BASE_BRANCH: 'main',
        ...variables,
      },
    };
    writeFileSync(join(this.folder, 'settings.json'), JSON.stringify(settings));
    // A build is over before a better compiler would pay.
    const quick = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
    const args = [
      ...quick,
      '-cp',
      this.groovy,
      'groovy.ui.GroovyMain',
      STEPS,
      join(this.folder, 'Jenkinsfile'),
      join(this.folder, 'settings.json'),
    ];
    const { code, stdout, stderr } = await runProcess('java', args, { cwd: this.folder, timeoutMs: 240_000 });
    if (code !== 0) throw new Error(`Groovy ended with ${code}: ${stdout}${stderr}`);
    return JSON.parse(readFileSync(result, 'utf8'));
  }
}
