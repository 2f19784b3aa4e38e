/** The version of the package; a test compares it with package.json, which a bundle cannot read. */
export const VERSION = '0.1.0';
