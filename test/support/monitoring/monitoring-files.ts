import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { blocksIn } from '../../unit/docs/pages.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'charts', 'helper', 'monitoring');

/** A rule in Prometheus' format. */
export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: { readonly severity: string };
  readonly annotations?: { readonly summary: string; readonly description: string };
}

/** A panel in Grafana's format. */
export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

/** An expression, and the place where it stands. */
export interface Expression {
  readonly at: string;
  readonly text: string;
}

export const rulesFile = join(folder, 'rules.yaml');
export const rulesText = readFileSync(rulesFile, 'utf8');
export const dashboardText = readFileSync(join(folder, 'dashboard.json'), 'utf8');
// the tests check that Prometheus and Grafana can read these files of ours
export const groups = (parse(rulesText) as { groups: { name: string; rules: Rule[] }[] }).groups;
export const dashboard = JSON.parse(dashboardText) as Dashboard;
export const rules = groups.flatMap((group) => group.rules);

/** Every PromQL expression that operators are given. */
export function expressions(): readonly Expression[] {
  return [
    ...rules.map(({ record, alert, expr }) => ({ at: record ?? alert ?? '', text: expr })),
    ...dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ at: `panel ${title}`, text: expr })),
    ),
    ...dashboard.annotations.list.map(({ expr }) => ({ at: 'annotation', text: expr })),
    ...blocksIn('promql').flatMap(({ page, line, code }) =>
      code.split(/\n\n+/).map((text) => ({ at: `${page}:${String(line)}`, text: text.replaceAll(/^#.*\n/gm, '') })),
    ),
  ];
}
