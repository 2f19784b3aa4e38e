import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate } from './azure-expression.fixture.js';
import { copyFolder, type Hosted, runScript } from './hosted.fixture.js';

export interface AzureJob {
  readonly job: string;
  readonly dependsOn?: string | readonly string[];
  readonly condition?: string;
  readonly strategy?: { readonly matrix: string };
  readonly variables?: Readonly<Record<string, string>>;
  readonly steps: readonly AzureStep[];
}

/** The inputs of a task, and `env`, do not matter here. */
type AzureStep = Readonly<Record<string, string | undefined>>;

export interface AzureJobScene {
  /** The folder that holds a folder for each artifact of the run. */
  readonly artifacts: string;
  readonly workspace: string;
  readonly sources: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
}

const OUTPUT = /^##vso\[task\.setvariable variable=(\w+);isOutput=true\](.*)$/;
const SUMMARY = /^##vso\[task\.uploadsummary\](.*)$/;

/** Runs the steps of a job on its own machine. */
export class AzureJobRun {
  readonly log: string[] = [];
  /** The outputs by step and name: `emit.legs`. */
  readonly outputs: Record<string, string> = {};
  private readonly hosted: Hosted;
  private readonly scene: AzureJobScene;

  constructor(hosted: Hosted, scene: AzureJobScene) {
    this.hosted = hosted;
    this.scene = scene;
  }

  async steps(steps: readonly AzureStep[]): Promise<'Succeeded' | 'Failed'> {
    let succeeded: 'yes' | 'no' = 'yes';
    for (const step of steps) {
      if (evaluate(step['condition'] ?? 'succeeded()', { succeeded }) !== true) continue;
      try {
        await this.step(step);
      } catch (error) {
        this.log.push(`${String(error)}\n`);
        succeeded = 'no';
      }
    }
    return succeeded === 'yes' ? 'Succeeded' : 'Failed';
  }

  private async step(step: AzureStep): Promise<void> {
    const text = (key: string): string => this.withMacros(step[key] ?? '');
    if (step['checkout'] === 'self') return this.hosted.checkOut(this.scene.sources, text('fetchDepth'));
    if (
      step['checkout'] === 'none' ||
      step['task'] === 'NodeTool@0' ||
      step['task'] === 'Cache@2' ||
      step['task'] === 'PublishTestResults@2'
    )
      return;
    if (step['bash'] !== undefined) return this.bash(text('bash'), text('name'));
    if (step['publish'] !== undefined) return this.publish(text('publish'), text('artifact'));
    if (step['download'] === 'current') return this.download(text('artifact'));
    throw new Error(`a step that the template did not have: ${JSON.stringify(step)}`);
  }

  /** Replaces macros. A macro without a variable stays as it is. */
  private withMacros(text: string): string {
    return text.replace(/\$\(([\w.]+)\)/g, (whole, name: string) => this.scene.variables[name] ?? whole);
  }

  /** Bash@3 writes a file and runs it without -e: only the last command counts. */
  private async bash(script: string, name: string): Promise<void> {
    const file = join(this.hosted.folder(), 'script.sh');
    writeFileSync(file, script);
    const variables = Object.entries(this.scene.variables).map(([key, value]) => [key.toUpperCase().replaceAll('.', '_'), value]);
    const env = { ...this.scene.environment, ...Object.fromEntries(variables) };
    const { code, stdout } = await runScript(['bash', '--noprofile', '--norc', file], { cwd: this.scene.sources, env, log: this.log });
    for (const line of stdout.split('\n')) this.obey(line, name);
    if (code !== 0) throw new Error(`Bash exited with code '${code}'.`);
  }

  private obey(line: string, step: string): void {
    const [, name, value] = OUTPUT.exec(line) ?? [];
    if (name !== undefined && value !== undefined) this.outputs[`${step}.${name}`] = value;
    const [, summary] = SUMMARY.exec(line) ?? [];
    // The engine reads the summary when the step has ended.
    if (summary !== undefined && !existsSync(summary)) throw new Error(`there is no summary ${summary}`);
  }

  private publish(folder: string, artifact: string): void {
    if (/["/:<>\\|?@*$()]/.test(artifact)) throw new Error(`no name of an artifact: ${artifact}`);
    if (!existsSync(folder)) throw new Error(`Path does not exist: ${folder}`);
    if (existsSync(join(this.scene.artifacts, artifact))) throw new Error(`Artifact ${artifact} already exists`);
    copyFolder(folder, join(this.scene.artifacts, artifact));
  }

  /** Downloads each artifact into a folder of its name. */
  private download(artifact: string): void {
    const names = artifact === '' ? readdirSync(this.scene.artifacts) : [artifact];
    for (const name of names) {
      const from = join(this.scene.artifacts, name);
      if (!existsSync(from)) throw new Error(`Artifact ${name} was not found`);
      copyFolder(from, join(this.scene.workspace, name));
    }
  }
}
