import type { AdminMetrics, CsvTable, KillSwitchBody, KillSwitchFigures } from '../wire/admin-metrics.ts';
import type { SecurityLogLine, SecurityLogLines } from '../wire/security-lines.ts';
import type { Span } from './ranges.ts';

/** What the server has answered. */
export type Reading =
  | { readonly kind: 'figures'; readonly metrics: AdminMetrics }
  /** Nobody is signed in, or the token is not valid. */
  | { readonly kind: 'unauthenticated' }
  /** Signed in without the role that `role` names; null: refused for what `detail` says. */
  | { readonly kind: 'forbidden'; readonly role: string | null; readonly detail: string }
  | { readonly kind: 'failed' };

/** The address of the figures, and the credential to read them. */
export interface FigureSource {
  readonly address: string;
  /** Empty: the browser's cookie signs in. */
  readonly token: string;
}

/** Milliseconds that an answer is waited for: more than the server waits for its storage. */
const answerWithinMs = 20_000;

/** Reads the figures of a span. Rejects only when `signal` aborts. */
export async function readFigures(source: FigureSource, span: Span, signal: AbortSignal): Promise<Reading> {
  try {
    const answer = await ask(source, span, { signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]) });
    // Written by the server of this page, whose shapes are those of wire/admin-metrics.ts.
    if (answer.ok) return { kind: 'figures', metrics: (await answer.json()) as AdminMetrics };
    if (answer.status === 401) return { kind: 'unauthenticated' };
    if (answer.status === 403) return forbidden(await answer.json());
    return { kind: 'failed' };
  } catch {
    signal.throwIfAborted();
    return { kind: 'failed' };
  }
}

/** Refuses all writes, or takes that back. Resolves with what is refused now. Rejects when the server does not do it. */
export async function setKillSwitch({ address, token }: FigureSource, writes: boolean): Promise<KillSwitchFigures> {
  const answer = await fetch(address.replace(/metrics$/, 'kill-switch'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorizationOf(token) },
    body: JSON.stringify({ writes } satisfies KillSwitchBody),
  });
  if (!answer.ok) throw new Error(`the server answered ${String(answer.status)}`);
  return (await answer.json()) as KillSwitchFigures; // written by the server of this page
}

/** The newest lines of the security log, newest first. Rejects when the server does not give them, or `signal` aborts. */
export async function readSecurityLog(
  { address, token }: FigureSource,
  signal: AbortSignal,
): Promise<readonly SecurityLogLine[]> {
  const answer = await fetch(address.replace(/metrics$/, 'security-log'), {
    headers: authorizationOf(token),
    cache: 'no-store',
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
  });
  if (!answer.ok) throw new Error(`the server answered ${String(answer.status)}`);
  return ((await answer.json()) as SecurityLogLines).lines; // written by the server of this page
}

function authorizationOf(token: string): Readonly<Record<string, string>> {
  return token === '' ? {} : { authorization: `Bearer ${token}` };
}

/** One table of a span as a file. Rejects when the server does not give it. */
export async function readCsv(source: FigureSource, span: Span, table: CsvTable): Promise<Blob> {
  const answer = await ask(source, span, { query: `&format=csv&table=${table}` });
  if (!answer.ok) throw new Error(`the server answered ${String(answer.status)}`);
  return answer.blob();
}

function ask(
  { address, token }: FigureSource,
  { from, to, step }: Span,
  { query = '', signal }: { readonly query?: string; readonly signal?: AbortSignal },
): Promise<Response> {
  const range = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}${step === '1h' ? '' : `&step=${step}`}`;
  return fetch(`${address}?${range}${query}`, {
    headers: authorizationOf(token),
    cache: 'no-store',
    ...(signal === undefined ? {} : { signal }),
  });
}

function forbidden(problem: unknown): Reading {
  const { requiredRole, detail } = problem as { readonly requiredRole?: unknown; readonly detail?: unknown }; // a problem document
  return {
    kind: 'forbidden',
    role: typeof requiredRole === 'string' ? requiredRole : null,
    detail: typeof detail === 'string' ? detail : '',
  };
}
