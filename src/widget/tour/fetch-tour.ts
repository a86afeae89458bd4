import type { Tour, TourStep } from '../../wire/tour.ts';

const timeLimitMs = 10_000;
const mostSteps = 50;
const longestText = 2000;

/**
 * Fetches the steps without cookie or token, because they are the same for everybody.
 * @throws Error when there are none, or when the answer is no tour.
 */
export async function fetchTour(url: string): Promise<Tour> {
  const response = await fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(timeLimitMs) });
  if (!response.ok) throw new Error(`the tour cannot be fetched: ${response.status}`);
  return readTour(await response.json());
}

/**
 * Reads a tour. The file may be an operator's own, so anything that is no step is left out.
 * @throws Error when no step remains.
 */
export function readTour(json: unknown): Tour {
  const { version, steps } = membersOf(json);
  const read = Array.isArray(steps) ? steps.slice(0, mostSteps).flatMap(readStep) : [];
  if (read.length === 0) throw new Error('the tour has no steps');
  return { version: textOf(version) ?? '', steps: read };
}

function readStep(json: unknown): TourStep[] {
  const { id, title, text, page, url, selector, placement } = membersOf(json);
  const [known, heading] = [textOf(id), textOf(title)];
  if (known === undefined || heading === undefined) return [];
  const optional = { page: textOf(page), url: textOf(url), selector: textOf(selector), placement: sideOf(placement) };
  const given = Object.entries(optional).filter(([, value]) => value !== undefined);
  return [{ id: known, title: heading, text: textOf(text) ?? '', ...Object.fromEntries(given) }];
}

function sideOf(value: unknown): TourStep['placement'] {
  return (['top', 'bottom', 'left', 'right'] as const).find((side) => side === value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, longestText) : undefined;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
