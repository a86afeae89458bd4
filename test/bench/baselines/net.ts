/** The floor: bytes between two sockets, HTTP unread. Its client speaks to the model directly through it. */
import { connect, createServer } from 'node:net';
import { readBaselineOptions } from './baseline-options.ts';

const options = readBaselineOptions();

createServer({ noDelay: true }, (client) => {
  const model = connect({ port: options.upstreamPort, host: '127.0.0.1', noDelay: true });
  client.on('error', () => model.destroy());
  model.on('error', () => client.destroy());
  client.pipe(model);
  model.pipe(client);
}).listen({ port: options.port, host: '127.0.0.1', backlog: 4096 });
