/** Something that the readers of this folder leave to git. It never leaves the folder. */
export class NotPlain extends Error {}
