/**
 * An MCP server as a program, made with the official SDKs: `node stdio-server.ts new|old FOLDER`. It notes its starts in `FOLDER/started`,
 * its environment in `FOLDER/environment`, and the process that it starts itself in `FOLDER/child`. Once `learn` was called, it has one more
 * tool, `learned`. With `stubborn` as a third argument neither the end of its input nor SIGTERM ends it or the process that it starts, which
 * leaves its group.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server as OldServer } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport as OldTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [, , era = 'new', folder = '.', temper] = process.argv;
const isStubborn = temper === 'stubborn';
const staying = `${isStubborn ? "process.on('SIGTERM', () => undefined);" : ''} setInterval(() => undefined, 1000)`;
const readingTool = (name: string): object => ({ ...tool(name), annotations: { readOnlyHint: true } });
const tool = (name: string): object => ({
  name,
  description: `${name}s`,
  inputSchema: { type: 'object', properties: {} },
});
const tools = [...['count', 'crash', 'flood', 'learn'].map(readingTool), tool('write')];
let counted = 0;
let toolsChanged = (): Promise<void> => Promise.resolve();

function call({ params }: { readonly params: { readonly name: string } }): object {
  if (params.name === 'crash') process.exit(3);
  if (params.name === 'flood') flood();
  if (params.name === 'learn') {
    tools.push(tool('learned'));
    void toolsChanged();
  }
  counted += 1;
  return { content: [{ type: 'text', text: `${String(process.pid)} ${String(counted)}` }] };
}

/** More messages than anybody reads, without an end. */
function flood(): void {
  const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })}\n`;
  const more = (): void => {
    for (let written = true; written;) written = process.stdout.write(line.repeat(100));
    process.stdout.once('drain', more);
  };
  setImmediate(more);
}

appendFileSync(join(folder, 'started'), `${String(process.pid)}\n`);
writeFileSync(join(folder, 'environment'), JSON.stringify(process.env));
// It does not end with its parent by itself.
const child = spawn(process.execPath, ['-e', staying], { stdio: 'ignore', detached: isStubborn });
if (isStubborn) {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1000);
}
writeFileSync(join(folder, 'child'), String(child.pid));
process.stderr.write('this program has begun\n');
process.stdout.write('not a message of the protocol\n');

if (era === 'new') {
  serveStdio(() => {
    // oxlint-disable-next-line typescript/no-deprecated -- the tools of tests have plain JSON Schemas
    const server = new Server({ name: 'program', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools }) as never);
    server.setRequestHandler('tools/call', (request) => call(request) as never);
    return server;
  });
} else {
  // oxlint-disable-next-line typescript/no-deprecated -- the tools of tests have plain JSON Schemas
  const server = new OldServer({ name: 'program', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  toolsChanged = () => server.sendToolListChanged();
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, (request) => call(request));
  await server.connect(new OldTransport());
}
