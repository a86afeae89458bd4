/**
 * Starts the Firefox of this machine for Playwright and stands between the two. Playwright sends commands of WebDriver BiDi that the long-term
 * Firefox of Debian does not know yet. They only set what a page is told of colours and motion, and Firefox has its own defaults for that, so
 * they are answered here.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { WebSocketServer } from 'ws';

/** Commands that are answered without Firefox. */
const unknownHere: ReadonlySet<string> = new Set(['emulation.setMediaFeaturesOverride']);

const firefox = spawn(process.env['FIREFOX_PATH'] ?? '', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
});
firefox.once('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => firefox.kill(signal));
process.once('exit', () => firefox.kill('SIGKILL'));

for await (const line of createInterface({ input: firefox.stderr })) {
  const [, address] = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(line) ?? [];
  if (address === undefined) process.stderr.write(`${line}\n`);
  else standBetween(address);
}

function standBetween(address: string): void {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.once('listening', () => {
    const { port } = server.address() as { readonly port: number }; // it listens on a port
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${String(port)}\n`);
  });
  server.on('connection', (playwright) => {
    const browser = new WebSocket(`${address}/session`);
    const waiting: string[] = [];
    browser.addEventListener('open', () => {
      for (const message of waiting.splice(0)) browser.send(message);
    });
    browser.addEventListener('message', ({ data }) => playwright.send(String(data)));
    browser.addEventListener('close', () => playwright.close());
    playwright.on('close', () => browser.close());
    playwright.on('message', (data: Buffer) => {
      const message = data.toString();
      const { id, method } = JSON.parse(message) as { readonly id: number; readonly method: string }; // a command of BiDi
      if (unknownHere.has(method)) playwright.send(JSON.stringify({ type: 'success', id, result: {} }));
      else if (browser.readyState === WebSocket.OPEN) browser.send(message);
      else waiting.push(message);
    });
  });
}
