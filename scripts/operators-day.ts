/**
 * Plays a day of an operator against the built server: an upgrade, a change with a fault, the kill switch, a renewed secret, a backup, a
 * lost disk, a crash in the middle of an action, and the alert about it. Every command runs as it is shown.
 * `--write` puts the transcript into `docs/guides/operations.md`; a test plays the day again and compares.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promtoolPath } from '../test/support/tools-here.ts';
import { writeAlertPlay } from './operators-day/alert-play.ts';
import { prepareProject } from './operators-day/project.ts';
import { alertSteps, type Step, steps } from './operators-day/steps.ts';

const root = join(import.meta.dirname, '..');

/** The page with the transcript between its two marks. */
export const dayPage = join(root, 'docs/guides/operations.md');

interface Place {
  readonly folder: string;
  readonly port: number;
}

/** Plays the day. Returns the transcript, without what differs from one day to the next. Without promtool it ends before the alert. */
export async function playDay(): Promise<string> {
  const place = { folder: mkdtempSync(join(tmpdir(), 'helper-day-')), port: await freePort() };
  try {
    prepareProject(place.folder, place.port);
    installPrograms(place.folder);
    const transcript = await play(steps, place);
    if (promtoolPath === undefined) return transcript.join('\n').trim();
    writeAlertPlay(place.folder);
    return [...transcript, ...(await play(alertSteps, place))].join('\n').trim();
  } finally {
    spawnSync('sh', ['-c', 'kill -9 $(cat helper.pid)'], { cwd: place.folder, stdio: 'ignore' });
    rmSync(place.folder, { recursive: true, force: true });
  }
}

async function play(scene: readonly Step[], place: Place): Promise<readonly string[]> {
  const transcript: string[] = [];
  for (const step of scene) {
    const output = await run(step, place);
    const shown = step.shownAs ?? step.command;
    if (step.says !== undefined) transcript.push('', `# ${step.says}`);
    if (shown !== '') transcript.push(`$ ${shown}`, ...(output === '' ? [] : [output]));
  }
  return transcript;
}

/** Puts `helper` and, where it is here, `promtool` into the PATH of the day. */
function installPrograms(folder: string): void {
  mkdirSync(join(folder, 'bin'));
  const program = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/main.js')}' "$@"\n`;
  writeFileSync(join(folder, 'bin/helper'), program, { mode: 0o755 });
  if (promtoolPath !== undefined) symlinkSync(promtoolPath, join(folder, 'bin/promtool'));
}

async function run(step: Step, { folder, port }: Place): Promise<string> {
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

function sameEveryDay(text: string, { folder, port }: Place): string {
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
  const without = 'promtool is not here, so the alert was left out: scripts/install-promtool.sh fetches it.\n';
  if (promtoolPath === undefined) process.stderr.write(without);
  if (process.argv.includes('--write') && promtoolPath !== undefined) writeFileSync(dayPage, pageWith(transcript));
  else process.stdout.write(`${transcript}\n`);
}
