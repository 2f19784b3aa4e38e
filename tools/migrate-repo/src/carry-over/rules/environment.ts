import { type CarryOverRule, keepEach } from '../rule.js';

export const environmentFiles: CarryOverRule = {
  title: 'Variables of the environment',
  matches: ['.env', '.env.*', '.envrc', '.flaskenv'],
  action: 'keep',
  reason: 'tools look for it in the folder where they start',
  apply: (subject) =>
    keepEach(subject, (file) => [
      /\.(example|sample|template|dist|defaults?|schema)$/i.test(file)
        ? undefined
        : { text: 'git tracks it: check that it contains no secret. Its history was imported too.' },
    ]),
};

export const editorFolders: CarryOverRule = {
  title: 'Settings of editors',
  matches: [
    '.vscode/**',
    '.idea/**',
    '.vs/**',
    '.zed/**',
    '.fleet/**',
    '.devcontainer/**',
    '.devcontainer.json',
    '*.code-workspace',
    '*.sublime-project',
  ],
  action: 'drop',
  reason: 'editors read them in the folder that you open, which is now the root; their paths and tasks would be wrong there',
};
