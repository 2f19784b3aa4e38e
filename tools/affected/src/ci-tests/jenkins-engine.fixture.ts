import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProcess } from '@tributary/test-repo/run-cli';
import { type Hosted, readTemplate, type Trouble } from './hosted.fixture.js';

const STEPS = fileURLToPath(new URL('jenkins-steps.fixture.groovy', import.meta.url));

/** The result of a build. */
export interface Build {
  /** `null` for a success. */
  readonly problem: string | null;
  /** The branches of `parallel` that got an agent, in the order of their starts. */
  readonly machines: readonly string[];
  /** The stages that the build reached: `passed` or `failed`. */
  readonly stages: Readonly<Record<string, string>>;
  /** The output of the scripts, by stage. */
  readonly printed: Readonly<Record<string, string>>;
}

interface BuildOptions {
  /** Branches of `parallel` that are cancelled before they start. */
  readonly canceled?: readonly string[];
  /** Only these branches run. */
  readonly only?: readonly string[];
  /** The last commit of the branch with a successful build. */
  readonly previous?: string;
  /** The variables that Jenkins sets for a pull request: `CHANGE_ID`, `CHANGE_TARGET`, `BRANCH_NAME`. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Returns the class path of the Groovy jars in npm-groovy-lint; `undefined` if they are elsewhere, or there is no Java. */
export function groovyOf(lint: string): string | undefined {
  const jars = join(dirname(realpathSync(lint)), 'java/groovy/lib');
  const hasJava = (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'java')));
  return hasJava && existsSync(jars) ? join(jars, '*') : undefined;
}

/** A multibranch project whose Jenkinsfile real Groovy runs. Its agents keep their workspaces between builds. */
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
    // With the tool under test instead of the published one.
    writeFileSync(
      join(this.folder, 'Jenkinsfile'),
      readTemplate('jenkins/Jenkinsfile').replace("String affected = ''", `String affected = '${hosted.affected}'`),
    );
  }

  /** Runs a build. */
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
    // A build ends before a better compiler would pay off.
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
