#!/usr/bin/env node
/**
 * The process: its version, its signals, its exit. Everything else is a command in `cli/`, loaded only after the version
 * is known to be new enough; so nothing is imported statically here.
 */
const oldestNode = 24;

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  process.stderr.write(
    `Helper needs Node ${String(oldestNode)} or newer, and this is Node ${process.versions.node}: ` +
      'start it with "npm start", which brings its own on Linux x64, or install Node 24 from https://nodejs.org.\n',
  );
  process.exit(1);
}

// Remembers a SIGHUP that comes before the server listens. The server then reloads when it is ready. Without this listener the signal would
// end the process.
let hangUp = (): void => {
  isHungUp = true;
};
let isHungUp = false;
if (process.argv[2] === 'start') process.on('SIGHUP', () => hangUp());

// Whoever reads what a server prints may end before it, and the disk that it is kept on may be full. The server goes on.
if (process.argv[2] === 'start')
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

// LangChain sends every message to a third party when it finds one of these set.
for (const name of ['LANGSMITH_TRACING', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING', 'LANGCHAIN_TRACING_V2']) {
  process.env[name] = 'false';
}

// The first garbage collections of a process are small, and everything that is in use survives them. V8 would learn from that to allocate
// the objects of every turn as long-lived ones. This flag prevents it (measured: a twentieth of a short turn's CPU time).
const { setFlagsFromString } = await import('node:v8');
setFlagsFromString('--no-allocation-site-pretenuring');

const { runCommand } = await import('./cli/run-command.ts');

const script = process.argv[1] ?? 'helper';
const isInstalled = !/\.[cm]?[jt]s$/.test(script);
// Where npx has put the package into its cache, `npx helper` would find another package of that name.
const isOfNpx = process.env['npm_command'] === 'exec' && !import.meta.url.includes('/_npx/');
const installedAs = isOfNpx ? 'npx helper' : 'helper';

const exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  workingDirectory: process.cwd(),
  invokedAs: isInstalled ? installedAs : `node ${script.replace(`${process.cwd()}/`, '')}`,
  write: (text) => process.stdout.write(text),
  input: process.stdin,
  output: process.stdout,
  writeError: (text) => process.stderr.write(text),
  untilStopped,
  onHangup: (reload) => {
    hangUp = reload;
    if (isHungUp) reload();
  },
  onUnhandledRejection: (report) => process.on('unhandledRejection', report),
}).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
});
process.exit(exitCode);

function untilStopped(): AbortSignal {
  const stopped = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      if (stopped.signal.aborted) process.exit(1);
      stopped.abort();
    });
  }
  return stopped.signal;
}
