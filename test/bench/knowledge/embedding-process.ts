/** A process that answers `/embeddings` with 1,536 numbers a text, made of its words, and tells its port to its parent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wordVector } from '../../support/word-vector.ts';

const dimensions = 1_536;

const server = createServer((incoming, response) => {
  const read: Buffer[] = [];
  incoming.on('data', (bytes: Buffer) => read.push(bytes));
  incoming.on('end', () => {
    const { input } = JSON.parse(Buffer.concat(read).toString('utf8')) as { readonly input: readonly string[] }; // our own requests
    const data = input.map((text, index) => {
      const { buffer } = wordVector(text, { dimensions });
      return { object: 'embedding', index, embedding: Buffer.from(buffer).toString('base64') };
    });
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ object: 'list', data }));
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // it listens on a port
  process.send?.(port);
});
process.on('disconnect', () => process.exit());
