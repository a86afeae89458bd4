import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { chartFolder } from '../../../scripts/chart.ts';
import { go, goLibraries } from '../tools-here.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const source = join(import.meta.dirname, 'renderer', 'main.go');
const binary = join(root, '.cache', 'chart-renderer', 'renderer');

/** The first build on a machine is slow, because Go compiles its own library too. */
export const buildTimeoutMs = 180_000;

export type Values = Readonly<Record<string, unknown>>;

/** An object of Kubernetes in the form that the chart wrote. */
export type KubernetesObject = Readonly<Record<string, unknown>> & { readonly kind: string };

/** The result for one set of values. */
export interface Rendered {
  /** The faults that the schema of the values has found. With any fault nothing was rendered. */
  readonly faults: readonly string[];
  /** The sentence with which a template has refused the values. Empty when none has. */
  readonly error: string;
  readonly objects: readonly KubernetesObject[];
  readonly notes: string;
}

interface RendererOutput {
  readonly files: Readonly<Record<string, string>> | null;
  readonly error: string;
  readonly faults: readonly string[] | null;
}

/** Renders the chart with each set of values, as `helm install desk` would in the namespace `desk`. */
export function renderChart(sets: readonly Values[]): readonly Rendered[] {
  const cases = sets.map((values) => ({ release: 'desk', namespace: 'desk', values }));
  const text = execFileSync(binary, { input: JSON.stringify({ chart: chartFolder, cases }), maxBuffer: 64 * 2 ** 20 });
  const outputs: unknown = JSON.parse(text.toString());
  // our own program writes this
  return (outputs as readonly RendererOutput[]).map(toRendered);
}

function toRendered({ files, error, faults }: RendererOutput): Rendered {
  const { 'NOTES.txt': notes = '', ...manifests } = files ?? {};
  return { faults: faults ?? [], error, notes, objects: Object.values(manifests).flatMap(objectsIn) };
}

/**
 * Reads the objects of a manifest.
 * @throws Error where a template wrote invalid YAML or a key twice.
 */
function objectsIn(manifest: string): readonly KubernetesObject[] {
  return [...parseAllDocuments(manifest, { uniqueKeys: true })].flatMap((document) => {
    const fault = document.errors[0] ?? document.warnings[0];
    if (fault !== undefined) throw new Error(`${fault.message}\n${manifest}`);
    // a document is an object or empty, and the tests look at the rest
    const content = document.toJS() as KubernetesObject | null;
    return content ?? [];
  });
}

/** Builds the renderer if needed. Nothing is downloaded, because the libraries are the system's. */
export function buildRenderer(): void {
  if (go === undefined) throw new Error('there is no Go');
  if (existsSync(binary) && statSync(binary).mtimeMs > statSync(source).mtimeMs) return;
  mkdirSync(join(binary, '..'), { recursive: true });
  const environment = {
    GO111MODULE: 'off',
    GOPATH: goLibraries,
    GOCACHE: join(root, '.cache', 'go'),
    CGO_ENABLED: '0',
  };
  execFileSync(go, ['build', '-o', binary, source], {
    env: { ...process.env, ...environment },
    timeout: buildTimeoutMs,
  });
}
