import { type CarryOverRule, keepEach } from '../rule.js';

export const environmentFiles: CarryOverRule = {
  title: 'Variables of the environment',
  matches: ['.env', '.env.*', '.envrc', '.flaskenv'],
  action: 'keep',
  reason: 'tools look for it in the folder where they are started',
  apply: (subject) =>
    keepEach(subject, (file) => [
      /\.(example|sample|template|dist|defaults?|schema)$/i.test(file)
        ? undefined
        : { text: 'It is tracked by git: see that it holds no secret. Its history has moved as well.' },
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
  reason: 'they are for the folder that is opened, which is the root now; their paths and tasks would not be right there',
};
