import type { Syscall } from './syscall.js';
import { textOf } from './syscall.js';

/** The address of a socket: a path (or a name that begins with `@`) on this machine, or a port. */
interface Address {
  readonly key: string;
  readonly isLocal: boolean;
}

/** The sockets that a command connected to, and those that it opened itself. */
export class Connections {
  private readonly own = new Set<string>();
  private readonly reached = new Map<string, Address>();

  /** Records an address that the command connected to (`reach`), or opened itself (`serve`). */
  add(kind: 'reach' | 'serve', address: Address | undefined): void {
    if (address === undefined) return;
    if (kind === 'reach') this.reached.set(address.key, address);
    else this.own.add(portOf(address));
  }

  /** Handles the calls `bind`, `getsockname` and `connect`; ignores all others. */
  look({ name, args, value, error }: Syscall): void {
    const address = value === undefined || (error !== undefined && error !== 'EINPROGRESS') ? undefined : addressOf(args[1]);
    if (address === undefined) return;
    if (name === 'connect') this.add('reach', address);
    else if (name === 'bind' || name === 'getsockname') this.add('serve', address);
  }

  /** Joins the connections of several commands, as if they were one. */
  static merge(all: readonly Connections[]): Connections {
    const merged = new Connections();
    for (const { own, reached } of all) {
      for (const port of own) merged.own.add(port);
      for (const [key, address] of reached) merged.reached.set(key, address);
    }
    return merged;
  }

  /** Returns sockets and ports of this machine that the command did not open: a daemon may have read for it. */
  daemons(): readonly string[] {
    return [...this.reached.values()].filter((one) => one.isLocal && !this.own.has(portOf(one))).map(({ key }) => key);
  }

  /** Returns addresses of other machines. */
  remote(): readonly string[] {
    return [...this.reached.values()].filter(({ isLocal }) => !isLocal).map(({ key }) => key);
  }
}

/** Returns only the port for a server on all addresses, because any address reaches it. */
function portOf({ key, isLocal }: Address): string {
  return isLocal || !key.startsWith('/') ? key.replace(/^[^/@].*:(\d+)$/, ':$1') : key;
}

/** Parses a `sockaddr`. Returns `undefined` for the name service, for port 0, and for anything other than a path or port. */
function addressOf(text = ''): Address | undefined {
  const [, unix] = /sun_path=(@?"(?:[^"\\]|\\.)*")/s.exec(text) ?? [];
  if (unix !== undefined) {
    const isAbstract = unix.startsWith('@');
    const path = textOf(isAbstract ? unix.slice(1) : unix)?.text ?? '';
    return socketAt(`${isAbstract ? '@' : ''}${path}`);
  }
  const [, port] = /sin6?_port=htons\((\d+)\)/.exec(text) ?? [];
  const [, host = ''] = /inet_addr\("([^"]*)"\)/.exec(text) ?? /inet_pton\(AF_INET6, "([^"]*)"/.exec(text) ?? [];
  return port === undefined ? undefined : portAt(host, Number(port));
}

/** Returns the address of a socket's path. The name service cache reads no file of a checkout. */
export function socketAt(path: string): Address | undefined {
  return /^\/(var\/)?run\/(nscd|systemd\/resolve)\//.test(path) ? undefined : { key: path, isLocal: true };
}

/** Returns the address of a port. Port 0 is no port, and 53 is the name service. */
export function portAt(host: string, port: number): Address | undefined {
  if (port === 0 || port === 53) return undefined;
  return { key: `${host}:${port}`, isLocal: /^(::ffff:)?127\.|^::1$|^0\.0\.0\.0$|^::$|^localhost$/.test(host) };
}
