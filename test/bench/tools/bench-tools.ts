/**
 * How well the tools of a message are chosen, how long that takes, and what the first message of a server waits for: `npm run bench --
 * --tools`. The questions and the 200 tools are those of `test/support/tool-catalogue`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markdownTable } from '../../support/markdown-table.ts';
import { shareFound } from '../../support/tool-choice.ts';
import { writeBetweenMarkers } from '../../support/written-page.ts';
import { describeMachine } from '../report/machine.ts';
import { type FirstTurnFigures, measureFirstTurn } from './first-turn.ts';

type Found = Awaited<ReturnType<typeof shareFound>>;

const sizes = [5, 10, 20, 30] as const;
const leastShare = 0.85;
const mostMedianMs = 1;

/** Prints the figures, and with `write` puts them into the page. The process fails when a figure misses its limit. */
export async function benchTools({ write }: { readonly write: boolean }): Promise<void> {
  const machine = describeMachine();
  const directory = mkdtempSync(join(tmpdir(), 'bench-tools-'));
  try {
    const told: (readonly [number, Found])[] = [];
    const bare: (readonly [number, Found])[] = [];
    for (const maxTools of sizes) {
      told.push([maxTools, await shareFound({ examples: true, maxTools })]);
      bare.push([maxTools, await shareFound({ examples: false, maxTools })]);
    }
    const first = await measureFirstTurn(directory, 40);
    const usual = told.find(([maxTools]) => maxTools === 20)?.[1];
    const medianMs = quantile(usual?.times ?? [], 0.5);
    const text = [
      `Measured ${machine.date} on ${machine.processor}, ${String(machine.cores)} cores, ${String(machine.memoryGiB)} GiB, ${machine.system}, Node ${machine.node.slice(1)}; load average before the run ${machine.load.toFixed(2)}.`,
      '### The tool that a question is for is among those that are sent, of 200 tools, by words alone',
      qualityTable(told, bare),
      `Choosing 20 of them takes ${medianMs.toFixed(2)} ms in the median, and ${quantile(usual?.times ?? [], 0.95).toFixed(2)} ms at the 95th percentile.`,
      '### The first message of a server, milliseconds to its first text',
      firstTurnTable(first),
    ].join('\n\n');
    console.log(text);
    if (write) writeBetweenMarkers('performance.md', 'bench tools', text);
    if (Math.min(usual?.usual ?? 0, usual?.everyday ?? 0) < leastShare || medianMs > mostMedianMs) process.exitCode = 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function qualityTable(
  told: readonly (readonly [number, Found])[],
  bare: readonly (readonly [number, Found])[],
): string {
  const row = (title: string, figures: typeof told, kind: 'usual' | 'everyday' | 'inOtherWords'): readonly string[] => [
    title,
    ...figures.map(([, found]) => found[kind].toFixed(2)),
  ];
  return markdownTable(
    ['questions', ...sizes.map((size) => `of ${String(size)} sent`)],
    [
      row('in the words of the application, tools with examples', told, 'usual'),
      row('in words of every day, tools with examples', told, 'everyday'),
      row('in words that no tool has, tools with examples', told, 'inOtherWords'),
      row('in the words of the application, tools without', bare, 'usual'),
      row('in words of every day, tools without', bare, 'everyday'),
      row('in words that no tool has, tools without', bare, 'inOtherWords'),
    ],
  );
}

function firstTurnTable({ roundTripMs, coldMs, warmMs, secondMs }: FirstTurnFigures): string {
  return markdownTable(
    [`a model over TLS, ${String(roundTripMs)} ms there and back`, 'ms'],
    [
      ['first message', coldMs.toFixed(0)],
      ['first message, with warmUpAtStartup', warmMs.toFixed(0)],
      ['second message', secondMs.toFixed(0)],
    ],
  );
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
