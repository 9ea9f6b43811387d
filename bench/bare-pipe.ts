/**
 * Less than any gateway can do: the bytes of one connection written to another as they come, without a look at them.
 * What Node itself takes for reading and writing; nothing written for Node gets below it. Takes the port of its upstream.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const [, , upstreamPort] = process.argv;
const server = createServer({ noDelay: true }, (caller) => {
  const upstream = connect({ host: '127.0.0.1', port: Number(upstreamPort), noDelay: true });
  pass(caller, upstream);
  pass(upstream, caller);
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));

function pass(from: Socket, to: Socket): void {
  from.on('data', (bytes) => {
    if (!to.write(bytes)) from.pause();
  });
  to.on('drain', () => from.resume());
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroy());
}
