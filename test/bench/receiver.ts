/**
 * Takes traces and metrics over OTLP/HTTP and keeps none: what traced servers send theirs to. `POST /NAME/v1/traces` is counted for
 * the server of that name, `GET /NAME` says how many spans have come from it.
 * Usage: `node receiver.ts --port 9200`.
 */
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

/** This text occurs once in each span of a JSON body, with any spaces around it. */
const spanMark = Buffer.from('"spanId"');
const spansOf = new Map<string, number>();

function countIn(body: Buffer): number {
  let count = 0;
  for (let at = body.indexOf(spanMark); at >= 0; at = body.indexOf(spanMark, at + spanMark.length)) count++;
  return count;
}

// Ends with the run that started it, even when that was killed.
process.on('disconnect', () => process.exit(0));

const { values } = parseArgs({ options: { port: { type: 'string' } } });
createServer((request, response) => {
  const [, name = '', ...path] = (request.url ?? '').split('/');
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const known = spansOf.get(name) ?? 0;
    if (path.join('/') === 'v1/traces') spansOf.set(name, known + countIn(Buffer.concat(parts)));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(request.method === 'GET' ? String(known) : '{}');
  });
}).listen({ port: Number(values.port), host: '127.0.0.1' });
