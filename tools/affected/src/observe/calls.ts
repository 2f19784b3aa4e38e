import type { Gap } from './observation.js';
import type { Syscall } from './syscall.js';

/** The indexes of a path argument, and of the descriptor that it is relative to. */
export interface PathPlace {
  readonly at: number;
  /** `undefined`: it is relative to the working directory. */
  readonly folder?: number;
}

/** The effect of a call on its paths. */
export type CallKind = 'open' | 'look' | 'execute' | 'create' | 'remove' | 'move' | 'link' | 'truncate' | 'enter' | 'list' | 'gap' | 'none';

export interface CallShape {
  readonly kind: CallKind;
  readonly paths: readonly PathPlace[];
}

const FIRST: readonly PathPlace[] = [{ at: 0 }];
const AT: readonly PathPlace[] = [{ at: 1, folder: 0 }];
const BOTH: readonly PathPlace[] = [{ at: 0 }, { at: 1 }];
const BOTH_AT: readonly PathPlace[] = [
  { at: 1, folder: 0 },
  { at: 3, folder: 2 },
];

function shapes(kind: CallKind, paths: readonly PathPlace[], names: string): readonly (readonly [string, CallShape])[] {
  return names.split(' ').map((name) => [name, { kind, paths }]);
}

/** The calls that name files, according to Linux' manual pages. */
const SHAPES: ReadonlyMap<string, CallShape> = new Map([
  ...shapes('open', FIRST, 'open creat'),
  ...shapes('open', AT, 'openat openat2'),
  ...shapes('execute', FIRST, 'execve'),
  ...shapes('execute', AT, 'execveat'),
  ...shapes('create', FIRST, 'mkdir mknod'),
  ...shapes('create', AT, 'mkdirat mknodat'),
  ...shapes('create', [{ at: 1 }], 'symlink'),
  ...shapes('create', [{ at: 2, folder: 1 }], 'symlinkat'),
  ...shapes('remove', FIRST, 'unlink rmdir'),
  ...shapes('remove', AT, 'unlinkat'),
  ...shapes('move', BOTH, 'rename'),
  ...shapes('move', BOTH_AT, 'renameat renameat2'),
  ...shapes('link', BOTH, 'link'),
  ...shapes('link', BOTH_AT, 'linkat'),
  ...shapes('truncate', FIRST, 'truncate truncate64'),
  ...shapes('enter', FIRST, 'chdir'),
  ...shapes('enter', [], 'fchdir'),
  ...shapes('list', [], 'getdents getdents64'),
  ...shapes(
    'gap',
    [],
    'io_uring_setup open_by_handle_at mount umount umount2 chroot pivot_root unshare setns move_mount open_tree fsmount',
  ),
  ...shapes('none', [], 'getcwd clone clone3 fork vfork connect bind getsockname'),
  ...shapes('look', [{ at: 1 }], 'inotify_add_watch'),
]);

/**
 * Returns the shape of a call. Other calls that strace traces for their path, such as `stat`, only look: their path is the first argument,
 * or the second after a descriptor.
 */
export function shapeOf({ name, args }: Syscall): CallShape {
  return SHAPES.get(name) ?? { kind: 'look', paths: args[0]?.startsWith('"') === true ? FIRST : AT };
}

/** Returns why a call makes an observation incomplete. */
export function gapOf(name: string): Gap {
  if (name === 'io_uring_setup') return 'io-uring';
  return name === 'open_by_handle_at' ? 'file-handles' : 'mounts';
}

/** For strace's `-e trace=`. A question mark allows a call that the processor lacks, or that this version of strace does not know. */
export const TRACED: string = [
  '%file',
  ...[
    'getdents getdents64 fchdir clone clone3 fork vfork connect bind getsockname io_uring_setup open_by_handle_at',
    'unshare setns move_mount open_tree fsmount openat2 faccessat2 fchmodat2 execveat',
  ]
    .join(' ')
    .split(' ')
    .map((name) => `?${name}`),
].join(',');
