import { expect, test } from '@jest/globals';
import { hashesVariable } from './hashed-variables.js';

test.each<[text: string, isHashed: boolean]>([
  ['{ "tasks": { "test": {} } }', false],
  ['{ "tasks": { "test": { "env": ["CI"] } } }', false],
  ['{ "tasks": { "test": { "passThroughEnv": ["NODE_OPTIONS"] } }, "globalPassThroughEnv": ["*"] }', false],
  ['{ "tasks": { "test": { "env": ["!NODE_OPTIONS"] } } }', false],
  ['{ "globalEnv": ["NODE_OPTIONS"] }', true],
  ['// so\n{ "tasks": { "build": { "env": ["NODE_*",] } } }', true],
  ['{ "pipeline": { "test": { "env": ["*"] } } }', true],
  ['{ "tasks": { "test": { "env": ["NODE.OPTIONS", "(*"] } } }', false],
  ['broken', false],
])('%s: %p', (text, isHashed) => expect(hashesVariable(text, 'NODE_OPTIONS')).toBe(isHashed));
