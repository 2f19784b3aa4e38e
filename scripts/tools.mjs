/** The published folders in `tools/`. */
export const TOOLS = ['affected', 'commit-to-publish', 'migrate-repo'];
