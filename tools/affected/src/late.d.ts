/** Loads the late file of a module, for which the bundle has a file of its own (docs/decisions/0003); to be taken for `typeof import('./x.js')`. */
declare module 'late:*' {
  const load: () => unknown;
  export default load;
}
