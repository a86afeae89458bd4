import type { DemoProject } from '../../wire/demo-project.ts';

const longestWaitMs = 15_000;

/** Reads what the page shows. Null when the server does not answer. */
export async function readProject(address: string): Promise<DemoProject | null> {
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(longestWaitMs),
    });
    if (!response.ok) return null;
    const body: unknown = await response.json();
    return isProject(body) ? body : null;
  } catch {
    return null;
  }
}

/** The server that sent the page also makes this data. Any other answer, such as a proxy's, has another shape. */
function isProject(value: unknown): value is DemoProject {
  if (typeof value !== 'object' || value === null) return false;
  return ['actions', 'pages', 'lists'].every((name) => Array.isArray(Reflect.get(value, name)));
}
