import { azure } from './azure.js';
import { buildkite } from './buildkite.js';
import { circleci } from './circleci.js';
import type { CiEngine } from './engine.js';
import { github } from './github.js';
import { gitlab } from './gitlab.js';
import { jenkins } from './jenkins.js';

/** Every CI engine, in the order of detection. Jenkins is last: an agent of another engine may have been started in its environment. */
export const ENGINES: readonly CiEngine[] = [github, gitlab, buildkite, circleci, azure, jenkins];
