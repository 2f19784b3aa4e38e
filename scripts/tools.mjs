/** The folders in `tools/` that are published. */
export const TOOLS = ['affected', 'commit-to-publish', 'migrate-repo'];
