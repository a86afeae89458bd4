import { called, requestOf, type Revision, stateIn } from '../../support/mcp/told-program.ts';
import { openRawConnection, requestText } from '../../support/raw-connection.ts';
import {
  approve,
  type Counts,
  countingServer,
  openPage,
  paid,
  pay,
  proofIn,
  tokens,
  untilPaid,
} from '../../support/stress/counted-writes.ts';
import type { StressCase } from '../../support/stress/stress-case.ts';
import type { StressServer } from '../../support/stress/stress-server.ts';
import { tally } from '../../support/stress/tally.ts';

const revisions: readonly Revision[] = ['2025-06-18', '2026-07-28'];
const moments: readonly (keyof Counts)[] = ['began', 'ended'];
const rounds = 5;

/** What a later call is told about the first one. */
const says = {
  'its outcome': /"structuredContent":\{"paid":\d+\}/,
  'that it ran': /the same call ran at \d{4}-.* It returned:/,
  'that nobody knows': /It is not known whether this action took effect/,
};

export const lostAnswers: StressCase = {
  name: 'lost answers',
  attack:
    'a program’s line is cut while its approved write runs, and after it ran; the program calls twice again, naming its question (2026-07-28) and naming none (2025-06-18)',
  once: '“Nothing was changed yet” was told, and 3 of 40 calls ran twice',
  promise: 'it is told what ran, nobody is asked anew, and nothing runs twice; another amount is asked about',
  server: countingServer,
  async play(server, must) {
    const told: string[] = [];
    let amount = 0;
    for (let round = 0; round < rounds; round += 1) {
      for (const revision of revisions) {
        for (const moment of moments) {
          amount += 1;
          const about = `${String(amount)} (${revision}, cut when it ${moment})`;
          const asked = await called(server.url, tokens.program, pay(amount, revision));
          must(asked.includes('/helper/confirm/'), `nobody was asked about ${about}: ${asked}`);
          await approve(server, asked, { proof: proofIn(await openPage(server, asked)) });
          const state = stateIn(asked);
          must(await loses(server, { amount, revision, moment, state }), `${about} did not run`);
          for (let call = 0; call < 2; call += 1) {
            const answer = await called(server.url, tokens.program, pay(amount, revision, state));
            const [what] = Object.entries(says).find(([, pattern]) => pattern.test(answer)) ?? [];
            must(
              what !== undefined && (moment === 'began' || what !== 'that nobody knows'),
              `${about} is told: ${answer}`,
            );
            must(!answer.includes('/helper/confirm/'), `somebody was asked about ${about} again`);
            told.push(what ?? 'otherwise');
          }
        }
      }
    }
    const { began } = await paid(server);
    const twice = Object.values(began).filter((times) => times !== 1).length;
    must(twice === 0 && Object.keys(began).length === amount, `it ran as ${JSON.stringify(began)}`);
    const other = await called(server.url, tokens.program, pay(amount + 1, '2025-06-18'));
    must(other.includes('Nothing was changed yet'), `another amount is told: ${other}`);
    return `${String(amount)} ran once; told ${tally(told)}`;
  },
};

/** Calls, and cuts the line at this moment without reading from it. False when the write did not come so far. */
async function loses(
  server: StressServer,
  call: {
    readonly amount: number;
    readonly revision: Revision;
    readonly moment: keyof Counts;
    readonly state: string | undefined;
  },
): Promise<boolean> {
  const { amount, revision, moment, state } = call;
  const { headers, body } = requestOf(tokens.program, pay(amount, revision, state));
  const line = await openRawConnection(server.url);
  line.socket.pause();
  line.send(requestText('POST /mcp', headers, body));
  const hasRun = await untilPaid(server, (counts) => counts[moment][amount] === 1);
  line.socket.destroy();
  return hasRun;
}
