import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { promtoolVersion, hasPromtool, promtool } from '../support/monitoring/promtool.ts';
import { readPromql } from '../support/monitoring/promql.ts';
import {
  dashboard,
  expressions,
  groups,
  type Panel,
  rules,
  rulesFile,
  rulesText,
} from '../support/monitoring/monitoring-files.ts';
import { missingFor, type Series, seriesOf, targetLabels } from '../support/monitoring/scrape.ts';
import { realServer } from '../support/real-server.ts';
import { blocksIn, pages } from '../unit/docs/pages.ts';

const callback = { name: 'crm', url: 'http://127.0.0.1:9/', secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}` };
const playFiles = ['alerts.yaml', 'burn-rates.yaml'].map((name) =>
  join(import.meta.dirname, '../support/monitoring', name),
);

/** The series that recording rules make. Their labels are those by which the rules group. */
const recorded: readonly Series[] = rules.flatMap(({ record, expr }) => {
  if (record === undefined) return [];
  const labels = Object.fromEntries(readPromql(expr).groupings.map((label) => [label, '']));
  return [{ metric: record, labels, value: 0 }];
});

/** Prometheus itself adds this series to each target. It says whether the target could be scraped. */
const ofPrometheus: Series = { metric: 'up', labels: {}, value: 1 };

/** Only replicas have this series. */
const ofReplicas: Series = { metric: 'helperagent_bus_up', labels: {}, value: 1 };

/** The metrics of a server to which nothing has happened yet, with what a replica has besides. */
async function freshScrape(): Promise<readonly Series[]> {
  const { url } = await realServer({ HELPER__ACTIONS__CALLBACKS: JSON.stringify([callback]) });
  return [...seriesOf(await (await fetch(`${url}/metrics`)).text()), ...recorded, ofPrometheus, ofReplicas];
}

/** The labels by which an expression groups although no series that it reads has them. */
function strangeGroupings(expression: string, scrape: readonly Series[]): readonly string[] {
  const { selectors, groupings } = readPromql(expression);
  const read = scrape.filter(({ metric }) => selectors.some((selector) => selector.metric === metric));
  const known = new Set([...targetLabels, ...read.flatMap(({ labels }) => Object.keys(labels))]);
  return groupings.filter((label) => !known.has(label)).map((label) => `nothing has the label ${label}`);
}

describe('the rules and the dashboard (contract/operations.md#rules-and-dashboard)', () => {
  it('are PromQL by Prometheus’ own grammar, and so is what the documentation shows', () => {
    const all = expressions();
    expect(all.length).toBeGreaterThan(90);
    expect(all.flatMap(({ at, text }) => readPromql(text).faults.map((fault) => `${at}: ${fault}`))).toEqual([]);
  });

  // proves wire-6-36
  it('read nothing that a server does not have from its start: every metric, label and value is there', async () => {
    const scrape = await freshScrape();
    const missing = expressions().flatMap(({ at, text }) =>
      [
        ...readPromql(text).selectors.flatMap((selector) => missingFor(selector, scrape)),
        ...strangeGroupings(text, scrape),
      ].map((fault) => `${at}: ${fault}`),
    );
    expect(missing).toEqual([]);
  });

  it.each([
    ['a metric', 'sum(helperagent_turn_total)', ['helperagent_turn_total is not scraped']],
    ['a label', 'helperagent_turns_total{state="failed"}', ['there is no label state', 'no series is selected']],
    ['a value', 'helperagent_turns_total{status="faild"}', ['no status is faild', 'no series is selected']],
    ['one of several values', 'helperagent_turns_total{status=~"failed|stoped"}', ['no status is stoped']],
    ['a bucket', 'helperagent_first_token_seconds_bucket{le="3"}', ['no le is 3', 'no series is selected']],
  ])('are told of a misspelt one: %s', async (_about, expression, faults) => {
    const scrape = await freshScrape();
    const found = readPromql(expression).selectors.flatMap((selector) => missingFor(selector, scrape));
    expect(found.map((fault) => fault.replace(/^\w+: /, ''))).toEqual(faults);
    expect(strangeGroupings('sum by (state) (helperagent_turns_total)', scrape)).toEqual([
      'nothing has the label state',
    ]);
  });

  it('say of each alert how urgent it is, and the guide what to do', () => {
    const guide = pages.get('docs/guides/alerts.md') ?? '';
    const alerts = rules.filter(({ alert }) => alert !== undefined);
    expect(alerts.length).toBeGreaterThan(10);
    for (const { alert = '', labels, annotations } of alerts) {
      expect(['page', 'ticket'], alert).toContain(labels?.severity);
      expect(annotations?.summary, alert).toMatch(/\.$/);
      expect(annotations?.description, alert).toMatch(/\.$/);
      expect(guide).toMatch(new RegExp(`^## ${alert}$`, 'm'));
    }
    const inGuide = [...guide.matchAll(/^## (Helper\w+)$/gm)].map(([, name]) => name);
    expect(inGuide.filter((name) => !alerts.some(({ alert }) => alert === name))).toEqual([]);
    const names = rules.map(({ record, alert }) => record ?? alert);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
  });

  it('have a question for every panel, each in a place of its own', () => {
    const shown = dashboard.panels.filter(({ type }) => type !== 'row');
    for (const { title, description, targets = [] } of shown) {
      expect(description, title).toMatch(/\?/);
      expect(targets.length, title).toBeGreaterThan(0);
      expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
      for (const { expr } of targets) expect(expr, title).toContain('{job=~"$job"');
    }
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const overlap = (a: Panel['gridPos'], b: Panel['gridPos']): boolean =>
      a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
    for (const [index, panel] of dashboard.panels.entries()) {
      expect(panel.gridPos.x + panel.gridPos.w, panel.title).toBeLessThanOrEqual(24);
      const over = dashboard.panels.slice(index + 1).filter(({ gridPos }) => overlap(panel.gridPos, gridPos));
      expect(
        over.map(({ title }) => title),
        panel.title,
      ).toEqual([]);
    }
  });
});

describe.skipIf(!hasPromtool)(
  hasPromtool ? 'the alerts, played by promtool' : 'the alerts, played by promtool (needs scripts/install-promtool.sh)',
  () => {
    let folder = '';
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'helper-rules-'));
      return () => {
        rmSync(folder, { recursive: true });
      };
    });

    // proves wire-6-37
    it('fire on what they are about, and on nothing else (contract/operations.md#rules-and-dashboard)', () => {
      expect(promtool('check', 'rules', rulesFile), promtoolVersion()).toMatchObject({ ok: true });
      for (const file of playFiles) expect(promtool('test', 'rules', file)).toMatchObject({ ok: true });
    });

    // proves wire-6-37
    it('are each seen to fire and to be quiet', () => {
      const plays = playFiles.flatMap(
        (file) => (parse(readFileSync(file, 'utf8')) as { tests: { alert_rule_test: Expected[] }[] }).tests,
      );
      const expected = plays.flatMap((play) => play.alert_rule_test);
      const seen = (fires: boolean): readonly string[] => [
        ...new Set(expected.filter((one) => one.exp_alerts.length > 0 === fires).map((one) => one.alertname)),
      ];
      const all = rules.flatMap(({ alert }) => alert ?? []).sort();
      expect([...seen(true)].sort()).toEqual(all);
      expect([...seen(false)].sort()).toEqual(all);
    });

    it('would be missed if they never fired', () => {
      const silent = groups.map((group) => ({
        ...group,
        rules: group.rules.map((rule) => (rule.alert === undefined ? rule : { ...rule, expr: 'vector(1) > 1' })),
      }));
      writeFileSync(join(folder, 'rules.yaml'), stringify({ groups: silent }));
      const printed = playFiles.map((file) => {
        const copy = join(folder, 'play.yaml');
        writeFileSync(
          copy,
          stringify({ ...(parse(readFileSync(file, 'utf8')) as object), rule_files: ['rules.yaml'] }),
        );
        const { ok, printed: text } = promtool('test', 'rules', copy);
        expect(ok).toBe(false);
        return text;
      });
      for (const { alert = '' } of rules.filter((rule) => rule.alert !== undefined))
        expect(printed.join(), alert).toContain(`alertname: ${alert}`);
    });

    it('are read by Prometheus as the guide has it', () => {
      const [example] = blocksIn('yml').filter(({ page }) => page === 'docs/guides/alerts.md');
      const token = join(folder, 'token');
      writeFileSync(token, 'secret');
      writeFileSync(join(folder, 'rules.yaml'), rulesText);
      const file = join(folder, 'prometheus.yml');
      writeFileSync(file, (example?.code ?? '').replace('/run/secrets/metrics-token', token));
      const { ok, printed } = promtool('check', 'config', file);
      expect(ok, printed).toBe(true);
      expect(printed).toContain(`${String(rules.length)} rules found`);
    });

    it('and what the dashboard asks have types that Prometheus accepts', () => {
      const asked = expressions().map(({ text }, index) => ({
        record: `asked:${String(index)}`,
        expr: text.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.+'),
      }));
      const file = join(folder, 'asked.yaml');
      writeFileSync(file, stringify({ groups: [{ name: 'asked', rules: asked }] }));
      expect(promtool('check', 'rules', file)).toMatchObject({ ok: true });
      // This shows that the check can fail.
      writeFileSync(file, stringify({ groups: [{ name: 'asked', rules: [{ record: 'a', expr: 'rate(up)' }] }] }));
      expect(promtool('check', 'rules', file)).toMatchObject({ ok: false });
    });
  },
);

/** What a play of promtool expects of one alert. */
interface Expected {
  readonly alertname: string;
  readonly exp_alerts: readonly unknown[];
}
