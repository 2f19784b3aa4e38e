import net from 'node:net';
import { recordAddress } from './record.js';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Records addresses that a process connects to, and those that it opens: a daemon from before may read for it. */
export function hookSockets(): void {
  const { connect } = net.Socket.prototype as unknown as { connect: AnyFunction };
  Object.assign(net.Socket.prototype, {
    connect(this: net.Socket, ...args: unknown[]): unknown {
      reach(args);
      // Its name may be one of this machine.
      this.once('connect', () => {
        const { remoteAddress: host = '', remotePort: port = 0 } = this;
        if (/^(?:::ffff:)?127\.|^::1$/.test(host)) recordAddress('reach', { host, port });
      });
      return Reflect.apply(connect, this, args);
    },
  });
  const { listen } = net.Server.prototype as unknown as { listen: AnyFunction };
  Object.assign(net.Server.prototype, {
    listen(this: net.Server, ...args: unknown[]): unknown {
      this.once('listening', () => {
        const address = this.address();
        if (typeof address === 'string') recordAddress('serve', { path: address });
        else if (address !== null) recordAddress('serve', { host: address.address, port: address.port });
      });
      return Reflect.apply(listen, this, args);
    },
  });
}

/** The arguments: a port and a host, a path, or an object; Node itself passes them in a list. */
function reach([given, second]: readonly unknown[]): void {
  const first: unknown = Array.isArray(given) ? given[0] : given;
  const { path, host, port } = (
    typeof first === 'object' && first !== null ? first : Number.isInteger(Number(first)) ? { port: first, host: second } : { path: first }
  ) as Readonly<Record<string, unknown>>;
  if (typeof path === 'string') recordAddress('reach', { path });
  else if (port !== undefined) recordAddress('reach', { host: typeof host === 'string' ? host : 'localhost', port: Number(port) });
}
