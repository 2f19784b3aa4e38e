import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyFolder, type Hosted, runScript } from './hosted.fixture.js';

export type Status = 'success' | 'failed' | 'canceled' | 'unauthorized' | 'not_run';

export interface Job {
  readonly environment?: Readonly<Record<string, string>>;
  readonly steps: readonly (string | Readonly<Record<string, Step>>)[];
}

type Step = Readonly<Record<string, unknown>>;

export interface JobScene {
  readonly name: string;
  readonly upstream: readonly string[];
  /** The folders of persisted files, by job and its number. */
  readonly workspace: Map<string, string>;
  readonly caches: Map<string, string>;
  readonly environment: Readonly<Record<string, string>>;
}

/** A job on its own machine: an empty home, an empty working directory. Source: circleci.com/docs, "Configuration reference". */
export class JobRun {
  readonly log: string[] = [];
  private readonly hosted: Hosted;
  private readonly scene: JobScene;
  private readonly home: string;
  private readonly project: string;

  constructor(hosted: Hosted, scene: JobScene) {
    this.hosted = hosted;
    this.scene = scene;
    this.home = hosted.folder();
    this.project = join(this.home, 'project');
    mkdirSync(this.project);
  }

  /** Runs the steps. After a failed step only those run that say so: a `run` with `when`, and those that store something. */
  async steps({ steps, environment = {} }: Job): Promise<Status> {
    const text = JSON.stringify(steps);
    if (text.includes('<<')) throw new Error(`not substituted: ${text}`);
    let status: Status = 'success';
    for (const step of steps) {
      const [kind, settings] = typeof step === 'string' ? [step, {}] : (Object.entries(step)[0] ?? ['', {}]);
      if (status === 'failed' && !kind.startsWith('store_') && !(kind === 'run' && settings['when'] === 'always')) continue;
      try {
        await this.step(kind, settings, environment);
      } catch (error) {
        this.log.push(`${String(error)}\n`);
        status = 'failed';
      }
    }
    return status;
  }

  private async step(kind: string, settings: Step, environment: Readonly<Record<string, string>>): Promise<void> {
    switch (kind) {
      case 'checkout':
        return this.hosted.checkOut(this.project);
      case 'run':
        return this.shell(String(settings['command']), environment);
      case 'save_cache':
        return this.saveCache(String(settings['key']), settings['paths'] as readonly string[]);
      case 'restore_cache':
        return this.restoreCache([settings['key'] ?? settings['keys']].flat().map(String));
      case 'persist_to_workspace':
        return this.persist(String(settings['root']), settings['paths'] as readonly string[]);
      case 'attach_workspace':
        return this.attach(String(settings['at']));
      case 'store_artifacts':
      case 'store_test_results':
        this.log.push(`artifact ${this.path(String(settings['path']))}\n`);
        return;
      default:
        throw new Error(`a step that CircleCI does not have: ${kind}`);
    }
  }

  private async shell(command: string, environment: Readonly<Record<string, string>>): Promise<void> {
    const env = { ...this.scene.environment, ...environment, HOME: this.home };
    const { code } = await runScript(['/bin/bash', '-eo', 'pipefail', '-c', command], { cwd: this.project, env, log: this.log });
    if (code !== 0) throw new Error(`Exited with code exit status ${code}`);
  }

  /** Saves a cache. A key is written only once. */
  private saveCache(key: string, paths: readonly string[]): void {
    if (this.scene.caches.has(key)) return;
    const folder = this.hosted.folder();
    for (const path of paths.filter((one) => existsSync(this.path(one))))
      copyFolder(this.path(path), join(folder, path.replace('~', 'home')));
    this.scene.caches.set(key, folder);
  }

  /** Restores the newest cache whose key starts with the first of `keys` that has one. None is no failure. */
  private restoreCache(keys: readonly string[]): void {
    const newest = [...this.scene.caches].reverse();
    const [, folder] = keys.flatMap((key) => newest.find(([name]) => name.startsWith(key)) ?? []).slice(0, 2);
    if (folder !== undefined) copyFolder(join(folder, 'home'), this.home);
  }

  private persist(root: string, paths: readonly string[]): void {
    const folder = this.hosted.folder();
    for (const path of paths) {
      const from = join(this.path(root), path);
      if (!existsSync(from)) throw new Error(`The specified paths did not match any files in ${root}`);
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(from, join(folder, path), { recursive: true });
    }
    // A job that runs again adds a layer. The documentation does not say that the earlier one disappears.
    this.scene.workspace.set(`${this.scene.name} ${this.scene.environment['CIRCLE_BUILD_NUM']} ${root} ${paths.join()}`, folder);
  }

  private attach(at: string): void {
    const layers = [...this.scene.workspace].filter(([name]) => this.scene.upstream.includes(name.split(' ')[0] ?? ''));
    if (layers.length === 0) throw new Error('the workspace is empty');
    const seen = new Set<string>();
    for (const [, folder] of layers) {
      for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
        const path = join(file.parentPath, file.name).slice(folder.length);
        if (seen.has(path)) throw new Error(`Concurrent upstream jobs persisted the same file(s): ${path}`);
        seen.add(path);
      }
      copyFolder(folder, this.path(at));
    }
  }

  private path(path: string): string {
    return path.startsWith('~/') ? join(this.home, path.slice(2)) : join(this.project, path);
  }
}
