import { redactUrls } from '@tributary/model/repo-url';
import { setJson } from '../../edit/edit-json.js';
import { type Fields, mapIn, scriptsOf } from '../../fields.js';
import type { Message } from '../../message.js';
import { code } from '../../text.js';
import type { RuleSubject } from '../rule.js';

/** A manifest to check, including earlier changes. */
export interface ManifestSubject {
  readonly text: string;
  readonly manifest: Fields;
  /** The fields of the root package.json. */
  readonly root: Fields;
  readonly subject: RuleSubject;
}

export interface FieldOutcome {
  /** `undefined` if nothing changes. */
  readonly text?: string;
  /** `undefined` if nothing was done. */
  readonly done?: Message;
  readonly remarks?: readonly Message[];
}

/** Checks one aspect of a manifest; returns `undefined` if there is nothing to report. */
export type FieldCheck = (subject: ManifestSubject) => FieldOutcome | undefined;

/** Rewrites scripts; `undefined` if none changes. An empty one is removed, and "scripts" with the last one. `text`: what was done. */
export function rewriteScripts(
  { text: before, manifest }: ManifestSubject,
  rewrite: (script: string, name: string) => string,
  text: string,
): FieldOutcome | undefined {
  const changed = Object.entries(scriptsOf(manifest)).flatMap(([name, script]) => {
    const rest = rewrite(script, name);
    return rest === script ? [] : [{ name, script, rest: rest === '' ? undefined : rest }];
  });
  if (changed.length === 0) return undefined;
  const isEmpty = changed.every(({ rest }) => rest === undefined) && changed.length === Object.keys(mapIn(manifest, 'scripts')).length;
  return {
    text: isEmpty
      ? setJson(before, ['scripts'], undefined)
      : changed.reduce((now, { name, rest }) => setJson(now, ['scripts', name], rest), before),
    done: { text, detail: changed.map(({ name, script }) => `"${name}" was ${code(redactUrls(script))}`).join(', ') },
  };
}
