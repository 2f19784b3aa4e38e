import { moduleAt } from './place.js';
import { file, nothing, readerBy } from './rules.js';

/** Reads a `typedoc.json`. Source: `typedoc-config.schema.json`. */
export const readTypedoc = readerBy(
  [moduleAt, 'extends', 'extends.*', 'plugin.*', 'theme'],
  [file, 'entryPoints.*', 'projectDocuments.*', 'tsconfig', 'options', 'readme', 'customCss', 'customJs', 'basePath', 'media', 'favicon'],
);

/** Reads an `api-extractor.json`. Source: its schema. */
export const readApiExtractor = readerBy(
  [moduleAt, 'extends', 'bundledPackages.*'],
  [file, 'mainEntryPointFilePath', 'projectFolder', 'compiler.tsconfigFilePath', 'apiReport.reportFolder'],
  [nothing, 'apiReport.reportTempFolder'],
);

/** Reads a `lerna.json`. Source: `schemas/lerna-schema.json`. Yarn's own list of workspaces counts, not its `packages`. */
export const readLerna = readerBy(
  [moduleAt, 'extends', '**.changelogPreset', '**.changelogPreset.name'],
  [file, 'command.publish.contents', 'command.publish.directory'],
  [nothing, 'packages.*'],
);
