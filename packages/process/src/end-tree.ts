/** Returns what ends a program and all that it has started, on a system without process groups; `undefined`: signals do. */
export function treeKiller(pid: number, platform: NodeJS.Platform = process.platform): readonly string[] | undefined {
  return platform === 'win32' ? ['taskkill', '/pid', String(pid), '/t', '/f'] : undefined;
}

/**
 * Ends a program and all that it has started at once, on Windows. A signal would end the `cmd.exe` alone by which a script was started, and the
 * program itself would go on. Nothing happens to one that is gone. `by signals`: on all other systems it does nothing.
 */
export function endTree(pid: number | undefined): 'ended' | 'by signals' {
  const [program, ...args] = (pid === undefined ? undefined : treeKiller(pid)) ?? [];
  if (program === undefined) return 'by signals';
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  spawnSync(program, args, { stdio: 'ignore', windowsHide: true });
  return 'ended';
}
