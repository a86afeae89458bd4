import { Agent, request } from 'node:http';
import { quantile } from '../report/statistics.ts';
import type { Replicas } from '../../support/replicas/replica-processes.ts';
import { openSse } from '../../support/sse-client.ts';

/** Questions that are answered before anything is measured, and those that are measured, of each kind. */
const warmUp = 300;
const measured = 1_000;

/** Milliseconds from an answer to its acknowledgement. */
export interface AnswerFigures {
  readonly ownP50: number;
  readonly ownP99: number;
  readonly otherP50: number;
  readonly otherP99: number;
}

/**
 * Answers one question after the other: in turn on the replica that asked, and on the other one of two. Both ask in turn, so that neither
 * has done more before.
 */
export async function measureAnswers({ at }: Replicas): Promise<AnswerFigures> {
  const agents = [0, 1].map(() => new Agent({ keepAlive: true }));
  const times: [number[], number[]] = [[], []];
  for (let index = -warmUp; index < measured; index += 1) {
    const asking = Math.abs(index) % 2;
    for (const other of [0, 1] as const) {
      const turn = await openSse(`${at(asking).url}/helper/chat`, { body: { message: 'cancel order 1' } });
      const question = await turn.next('confirmation');
      const body = JSON.stringify({ actionId: question.data?.['actionId'], approved: true });
      const answering = (asking + other) % 2;
      const took = await posted(`${at(answering).url}/helper/approve`, body, agents[answering]);
      await turn.next('end');
      if (index >= 0) times[other].push(took);
    }
  }
  for (const agent of agents) agent.destroy();
  for (const list of times) list.sort((left, right) => left - right);
  const [own, others] = times;
  return {
    ...{ ownP50: quantile(own, 0.5), ownP99: quantile(own, 0.99) },
    ...{ otherP50: quantile(others, 0.5), otherP99: quantile(others, 0.99) },
  };
}

/** Posts over a connection that stays open. Gives the milliseconds to the end of the answer. */
function posted(url: string, body: string, agent: Agent | undefined): Promise<number> {
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - begin);
        else reject(new Error(`an answer was answered with ${String(response.statusCode)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
