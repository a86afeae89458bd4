import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import { waitAtMost } from '../adapters/plugin-directory/wait-at-most.ts';
import type { DemoPageSource } from '../channels/widget/demo-page.ts';
import type { HelperSettings } from '../config/settings.ts';
import { isForEverybody } from '../core/identity/may-read.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Tool } from '../core/tools/tool.ts';
import type { DemoProject, DemoProjectAction, DemoProjectList } from '../wire/demo-project.ts';
import type { ComposedTools } from './compose-tools.ts';
import { demoRows } from './demo-rows.ts';

const listTimeoutMs = 5000;
/** Limits of what the demo page lists. They are enough for a demonstration. */
const maxActions = 60;
const maxPages = 20;
const maxExamples = 5;
const maxTextLength = 500;

interface DemoProjectSources {
  readonly settings: Pick<HelperSettings, 'appName'>;
  readonly plugins: readonly LoadedPlugin[];
  readonly tools: Pick<ComposedTools, 'toolbox' | 'policy'>;
  readonly log: Logger;
}

/**
 * What the demo page shows of this project. It is what anybody may do and see: actions and pages that need a role are left out, and the
 * lists are those that plugins declare for this page. Requests that come while an answer is being made share this answer, so nobody can
 * make plugins work for every request.
 */
export function demoProject(sources: DemoProjectSources): DemoPageSource {
  return {
    read: shared(() => readProject(sources)),
    reset: shared(() => resetLists(sources)),
  };
}

function shared<T>(make: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () =>
    (running ??= make().finally(() => {
      running = undefined;
    }));
}

async function readProject({ settings, plugins, tools, log }: DemoProjectSources): Promise<DemoProject> {
  const { toolbox, policy } = tools;
  const actions = toolbox.current.tools.filter((tool) => tool.source !== 'built-in' && isForEverybody(tool));
  const pages = toolbox.current.pages.filter((page) => isForEverybody(page) && !page.url.includes('{'));
  return {
    appName: settings.appName,
    actions: await Promise.all(actions.slice(0, maxActions).map((tool) => actionOf(tool, policy))),
    pages: pages.slice(0, maxPages).map(({ title }) => shortened(title)),
    lists: await Promise.all(
      plugins.flatMap(({ name, demo }) => (demo === undefined ? [] : [listOf(demo, log.child({ plugin: name }))])),
    ),
  };
}

async function actionOf(tool: Tool, policy: ComposedTools['policy']): Promise<DemoProjectAction> {
  const { need } = await policy.judge(tool);
  return {
    title: shortened(tool.title),
    description: shortened(tool.description),
    asks: need.ask,
    examples: (tool.examples ?? []).slice(0, maxExamples).map(shortened),
  };
}

async function listOf(demo: NonNullable<LoadedPlugin['demo']>, log: Logger): Promise<DemoProjectList> {
  const { title, description = null, columns, rows } = demo;
  try {
    const given = await inTime(rows);
    return { title, description, ...demoRows(given, columns) };
  } catch (error) {
    log.warn({ error }, 'the list of the demo page could not be read');
    return { title, description, columns: [], rows: null, total: 0 };
  }
}

/** Resets all lists, even when one of them fails. */
async function resetLists({ plugins, log }: DemoProjectSources): Promise<boolean> {
  const resets = plugins.map(async ({ name, demo }) => {
    try {
      if (demo?.reset !== undefined) await inTime(demo.reset);
      return true;
    } catch (error) {
      log.warn({ plugin: name, error }, 'the list of the demo page could not be put back');
      return false;
    }
  });
  return (await Promise.all(resets)).every(Boolean);
}

/** Calls a plugin's function, which may be sync or async, may throw, and may never end. */
function inTime(work: () => unknown): Promise<unknown> {
  const late = `it did not answer within ${String(listTimeoutMs)} ms`;
  return waitAtMost(
    Promise.resolve().then(() => work()),
    listTimeoutMs,
    late,
  );
}

function shortened(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1)}…` : text;
}
