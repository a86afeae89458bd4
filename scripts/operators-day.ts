/**
 * Plays a day of an operator against the built server: check, start, a change with a fault, the kill switch, a renewed secret, a backup, a
 * lost disk, an upgrade, a crash in the middle of an action, and what the monitoring makes of it. Every command runs as it is shown.
 * `--write` puts what was seen into `docs/guides/operations.md`; a test plays it again and compares.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const root = join(import.meta.dirname, '..');

/** The page with the transcript between its two marks. */
export const dayPage = join(root, 'docs/guides/operations.md');

interface Step {
  /** What happens, in words. */
  readonly says?: string;
  readonly command: string;
  /** The command is repeated until its output has this: what takes the server some seconds. */
  readonly until?: RegExp;
  /** In place of the command, where the day itself needs more of the shell than a reader. */
  readonly shownAs?: string;
}

const start: Step = {
  command: 'helper start >> helper.log 2>&1 & echo $! > helper.pid',
  shownAs: 'helper start >> helper.log &',
};
const ready: Step = { command: 'helper health', until: /^ready/ };
const metrics = (pattern: string): string =>
  `curl -s -H "authorization: Bearer $(cat metrics.token)" localhost:8080/metrics | grep '${pattern}'`;

const steps: readonly Step[] = [
  {
    says: 'Morning. What would be served, and is anything wrong with it?',
    command: "helper check | sed -n '/Actions/,/^$/p'",
  },
  start,
  ready,
  {
    says: 'A user asks for something that changes data. Nobody has answered yet.',
    command: `curl -sN 'localhost:8080/helper/chat?message=Cancel+order+1002' > question.txt 2> /dev/null &`,
  },
  { command: 'grep ^event question.txt', until: /confirmation/ },
  {
    says: 'Somebody changes the configuration, and misspells it. Nothing happens to the server.',
    command: `sed -i 's/helperLevel: .*/helperLevel: Loud/' helper.yaml && helper reload`,
  },
  { command: `sed -i 's/helperLevel: .*/helperLevel: Proactive/' helper.yaml && helper reload` },
  {
    says: 'Something is wrong in the shop: no write may run until it is known what. No restart, and 5 seconds at most.',
    command: `sed -i 's/writes: false/writes: true/' helper.yaml`,
  },
  { command: `curl -s localhost:8080/readyz | grep -o '"killSwitch":[^}]*}'`, until: /true/ },
  {
    command: `curl -sN 'localhost:8080/helper/chat?message=Cancel+order+1005' | sed -n '/^event: end/,$ s/.*"text":"\\([^"]*\\)".*/\\1/p'`,
  },
  { command: `sed -i 's/writes: true/writes: false/' helper.yaml` },
  { command: 'curl -s localhost:8080/readyz', until: /"status":"ready"(?!.*killSwitch":\{"writes":true)/ },
  { says: 'The token of the monitoring is renewed.', command: 'echo second-token > metrics.token' },
  {
    command: `curl -s -o /dev/null -w '%{http_code}\\n' -H 'authorization: Bearer first-token' localhost:8080/metrics`,
    until: /401/,
  },
  { command: metrics('^helperagent_open_questions') },
  {
    says: 'A backup, while the server runs. Then its machine is lost, disk and all.',
    command: 'helper backup noon.db',
  },
  { command: 'kill -9 $(cat helper.pid); rm -r data' },
  { command: 'helper restore noon.db' },
  start,
  ready,
  {
    says: 'The user comes back and answers. The action runs, once.',
    command: `action=$(sed -n 's/.*"actionId":"\\([^"]*\\)".*/\\1/p' question.txt)
curl -s localhost:8080/helper/approve --json "{\\"actionId\\":\\"$action\\",\\"approved\\":true}"; echo
curl -s "localhost:8080/helper/approve?actionId=$action"`,
    until: /succeeded/,
  },
  {
    says: 'An upgrade is a stop and a start of the new version; here the same one starts again. It ends by itself, with what runs.',
    command:
      'kill $(cat helper.pid); while kill -0 $(cat helper.pid) 2>/dev/null; do sleep 0.1; done; tail -n 1 helper.log | grep -o \'"msg":.*"\'',
    shownAs: `kill $(cat helper.pid)`,
  },
  start,
  ready,
  {
    says: 'It crashes in the middle of an action. Nobody can know whether the action took effect, and nobody says so.',
    command: `curl -sN 'localhost:8080/helper/chat?message=Close+the+books' > question.txt 2> /dev/null &`,
  },
  { command: 'grep ^event question.txt', until: /confirmation/ },
  {
    command: `action=$(sed -n 's/.*"actionId":"\\([^"]*\\)".*/\\1/p' question.txt)
curl -s localhost:8080/helper/approve --json "{\\"actionId\\":\\"$action\\",\\"approved\\":true}"; echo`,
  },
  { command: 'grep -c "closing the books" helper.log', until: /1/, shownAs: '' },
  { command: 'kill -9 $(cat helper.pid)' },
  start,
  ready,
  {
    command: `grep -o '"msg":"an action was interrupted.*"' helper.log`,
    until: /interrupted/,
  },
  {
    says: 'The monitoring sees it, and this rule calls somebody.',
    command: metrics('^helperagent_tool_calls_total.*close_books.*unknown'),
  },
  { command: 'grep -A 1 HelperOutcomeUnknown rules.yaml' },
  { command: 'kill $(cat helper.pid)' },
];

const configuration = `appName: Desk
helperLevel: Standard
chatClient: demo
models: { demo: { provider: demo } }
actions: { plugins: [plugins] }
hitlMode: Native
confirmationTimeout: 0
killSwitch: { writes: false }
endpoints: { metrics: { token: '\${file:metrics.token}' } }
`;

const slowPlugin = `export default {
  name: 'books',
  actions: [{
    name: 'close_books', title: 'Close the books', description: 'Closes the books of the month.',
    parameters: { type: 'object', properties: {} },
    execute: (_args, { log }) => { log.info({}, 'closing the books'); return new Promise((resolve) => setTimeout(resolve, 60_000)); },
  }],
};
`;

/** Plays the day. Returns the transcript, without what differs from one day to the next. */
export async function playDay(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-day-'));
  const port = await freePort();
  try {
    prepare(folder, port);
    const transcript: string[] = [];
    for (const step of steps) {
      const output = await run(step, { folder, port });
      const shown = step.shownAs ?? step.command;
      if (step.says !== undefined) transcript.push('', `# ${step.says}`);
      if (shown !== '') transcript.push(`$ ${shown}`, ...(output === '' ? [] : [output]));
    }
    return transcript.join('\n').trim();
  } finally {
    spawnSync('sh', ['-c', 'kill -9 $(cat helper.pid)'], { cwd: folder, stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  }
}

function prepare(folder: string, port: number): void {
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'plugins/books'), { recursive: true });
  cpSync(join(root, 'plugins/order-desk'), join(folder, 'plugins/order-desk'), { recursive: true });
  cpSync(join(root, 'charts/helper/monitoring/rules.yaml'), join(folder, 'rules.yaml'));
  writeFileSync(join(folder, 'plugins/books/index.js'), slowPlugin);
  writeFileSync(join(folder, 'helper.yaml'), `${configuration}server: { port: ${String(port)} }\n`);
  writeFileSync(join(folder, 'metrics.token'), 'first-token\n');
  const program = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/main.js')}' "$@"\n`;
  writeFileSync(join(folder, 'bin/helper'), program, { mode: 0o755 });
}

async function run(step: Step, { folder, port }: { readonly folder: string; readonly port: number }): Promise<string> {
  const command = step.command.replaceAll('localhost:8080', `127.0.0.1:${String(port)}`);
  for (let attempt = 0; ; attempt += 1) {
    const { stdout, stderr } = spawnSync('sh', ['-c', command], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
        HELPER_CONFIG: 'helper.yaml',
        HELPER__LOGGING__FORMAT: 'json',
      },
      timeout: 60_000,
    });
    const output = sameEveryDay(`${stdout}${stderr}`.trim(), { folder, port });
    if (step.until === undefined || step.until.test(output)) return output;
    if (attempt > 100) throw new Error(`${step.command}\n${output}\ndoes not come to ${String(step.until)}`);
    await delay(200);
  }
}

function sameEveryDay(text: string, { folder, port }: { readonly folder: string; readonly port: number }): string {
  return text
    .replaceAll(folder, '/srv/desk')
    .replaceAll(String(port), '8080')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-23T12:00:00.000Z')
    .replaceAll(/"(actionId|configuration)":"[^"]*"/g, '"$1":"…"')
    .replaceAll(/Configuration \S+ serves/g, 'Configuration … serves')
    .replaceAll(/helperagent_build_info.*/g, '');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The page with this transcript in it. */
export function pageWith(transcript: string): string {
  const page = readFileSync(dayPage, 'utf8');
  const before = page.indexOf('```console');
  const after = page.indexOf('\n```\n', before);
  return `${page.slice(0, before)}\`\`\`console\n${transcript}${page.slice(after)}`;
}

if (import.meta.main) {
  const transcript = await playDay();
  if (process.argv.includes('--write')) writeFileSync(dayPage, pageWith(transcript));
  else process.stdout.write(`${transcript}\n`);
}
