import { tmpdir } from 'node:os';
import { startServerProcess } from './server-process.ts';
import { makeToken, tokenSecret } from './tokens.ts';

/** One line of the log. */
export type Line = Readonly<Record<string, unknown>>;

/** A server process, and its log. */
export interface LoggedServer {
  readonly url: string;
  readonly metricsUrl: string;
  /** Everything the process has printed. */
  readonly printed: () => string;
  /** The next line of the security log that no earlier call has returned. */
  readonly nextLine: () => Promise<Line>;
  /** The value of the counter of security events with these labels. */
  readonly counted: (what: string, reason: string) => Promise<number>;
}

/** The shipped server as a process of its own, whose log is read. It ends with the test. */
export async function loggedServer(overrides: Readonly<Record<string, string>> = {}): Promise<LoggedServer> {
  const watchers = new Set<() => void>();
  const { printed, exited } = startServerProcess({
    // Nothing is stored in it.
    folder: tmpdir(),
    environment: {
      HELPER__STORAGE__TYPE: 'memory',
      HELPER__AUTH__JWT: JSON.stringify({ secret: tokenSecret, audience: 'desk', issuer: null }),
      ...overrides,
    },
    onPrinted: () => {
      for (const watcher of watchers) watcher();
    },
  });
  let taken = 0;
  /** Looks again whenever something was printed. */
  const seen = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const watcher = (): void => {
        const found = look();
        if (found === undefined) return;
        watchers.delete(watcher);
        resolve(found);
      };
      watchers.add(watcher);
      watcher();
      void exited.then(() => {
        reject(new Error(`the server ended: ${printed()}`));
      });
    });
  await seen(() => /is ready/.exec(printed())?.[0]);
  // If the metrics have their own port, it is opened first.
  const listening = [...printed().matchAll(/listening at (http:[^"]+)"/g)].map(([, address = '']) => address);
  const [metricsUrl = '', url = metricsUrl] = listening;
  return {
    url,
    metricsUrl,
    printed,
    nextLine: () =>
      seen(() => {
        const line = securityLines(printed())[taken];
        if (line !== undefined) taken += 1;
        return line;
      }),
    counted: async (what, reason) => {
      const page = await (await fetch(`${url}/metrics`)).text();
      const series = `helperagent_security_events_total{what="${what}",reason="${reason}"} `;
      return Number(
        page
          .split('\n')
          .find((each) => each.startsWith(series))
          ?.slice(series.length) ?? 0,
      );
    },
  };
}

/** The lines of the security log among all that was printed. */
export function securityLines(printed: string): readonly Line[] {
  return printed
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line) // pino writes objects
    .filter(({ security }) => security === true);
}

/** The header of a token. */
export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** A token that the server accepts. */
export function tokenOf(sub: string, claims: object = {}): Promise<string> {
  return makeToken({ sub, aud: 'desk', ...claims });
}

/** The status of an answer. The body is read to its end. */
export async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(url, init);
  await response.text();
  return response.status;
}

/** The status of a POST of JSON. */
export function post(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  return statusOf(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
