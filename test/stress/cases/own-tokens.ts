import { spellingsOf } from '../../support/mcp/token-spellings.ts';
import { called, stateIn } from '../../support/mcp/told-program.ts';
import { approve, countingServer, openPage, paid, pay, proofIn, tokens } from '../../support/stress/counted-writes.ts';
import type { StressCase } from '../../support/stress/stress-case.ts';
import { tally } from '../../support/stress/tally.ts';

const rounds = 5;

export const ownTokens: StressCase = {
  name: 'a program’s own token',
  attack:
    'a program asks for a write over MCP, and opens and answers the page of the question with the token of its call, in every spelling of its signature',
  once: 'the program approved its own write',
  promise:
    '401 or 403, and the question stays open; the user’s browser, with a token of its own, approves it, and it runs once',
  server: countingServer,
  async play(server, must) {
    const statuses: number[] = [];
    let amount = 0;
    for (let round = 0; round < rounds; round += 1) {
      for (const revision of ['2025-06-18', '2026-07-28'] as const) {
        amount += 1;
        const asked = await called(server.url, tokens.program, pay(amount, revision));
        // The proof of the form is no secret from the one whom the page is for.
        const proof = proofIn(await openPage(server, asked));
        must(proof !== '', `the user was shown no form: ${asked}`);
        for (const token of spellingsOf(tokens.program)) {
          for (const { status } of [
            await openPage(server, asked, token),
            await approve(server, asked, { proof, token }),
          ]) {
            must(status === 401 || status === 403, `the page was answered ${String(status)} with ${token}`);
            statuses.push(status);
          }
        }
        // An approval of the program would have closed the form.
        const { status } = await approve(server, asked, { proof: proofIn(await openPage(server, asked)) });
        must(status === 303, `the user’s approval was answered ${String(status)}`);
        await called(server.url, tokens.program, pay(amount, revision, stateIn(asked)));
      }
    }
    const { began } = await paid(server);
    const once = Object.values(began).filter((times) => times === 1).length;
    must(once === amount && Object.keys(began).length === amount, `it ran as ${JSON.stringify(began)}`);
    return `${tally(statuses)}; ${String(amount)} ran, approved by the user`;
  },
};
