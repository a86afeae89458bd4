import type { DemoProject } from '../../wire/demo-project.ts';
import { byId, element } from './element.ts';
import { demoTexts } from './demo-texts.ts';
import { ListView, shownKeys } from './list-view.ts';
import { leavePanelRoom } from './panel-room.ts';
import { readProject } from './read-project.ts';
import { answerEnd, listenToWidget, newConversation, say } from './widget-calls.ts';

/**
 * The demo page: what the assistant can do in this project, buttons that ask it to, and the lists of its plugins, which are read
 * again after each action.
 */
const base = document.body.dataset['base'] ?? '';
const texts = demoTexts(document.documentElement.lang);
const lists: ListView[] = [];
let reading: Promise<void> | null = null;
let isStale = false;
/** What the prompts wait for. */
let holds = 0;

/** Reads the project again. What is asked for meanwhile is done right after, so that the page never shows what was before. */
function refresh(): Promise<void> {
  isStale = true;
  reading ??= readUntilFresh().finally(() => {
    reading = null;
  });
  return reading;
}

async function readUntilFresh(): Promise<void> {
  while (isStale) {
    isStale = false;
    const project = await readProject(`${base}/helper/demo`);
    if (project === null) byId('status').textContent = texts.unreachable;
    else draw(project);
  }
}

function draw(project: DemoProject): void {
  if (byId('status').textContent === texts.unreachable) byId('status').textContent = '';
  byId('start-over').hidden = false;
  drawPrompts(project);
  drawActions(project);
  drawLists(project);
}

function drawPrompts({ actions, pages }: DemoProject): void {
  const examples = actions.flatMap((action) => action.examples);
  const asked = examples.length > 0 ? examples : actions.map(({ title }) => title);
  const visits = pages.map((title) => texts.goTo(title));
  byId('try').hidden = asked.length + visits.length === 0;
  replaceItems(byId('prompts'), [...asked, ...visits], (prompt) => {
    const button = element('button', { className: 'prompt', text: prompt, dir: 'auto' });
    button.type = 'button';
    button.addEventListener('click', () => {
      if (holds === 0) void holdPrompts(say(prompt));
    });
    return element('li', {}, button);
  });
  markHeld();
}

/** While an answer is under way nothing else is asked from here: it would wait where nobody sees it. */
async function holdPrompts(work: Promise<void>): Promise<void> {
  holds += 1;
  markHeld();
  await work;
  holds -= 1;
  markHeld();
}

/** A button that is held keeps its focus. */
function markHeld(): void {
  for (const button of document.querySelectorAll('.prompt')) button.ariaDisabled = String(holds > 0);
}

function drawActions({ actions }: DemoProject): void {
  byId('abilities').hidden = false;
  const shown = actions.map(({ title, description, asks }) => ({ title, description, asks }));
  replaceItems(byId('actions'), shown, ({ title, description, asks }) => {
    const badge = element('span', {
      className: asks ? 'badge asks' : 'badge',
      text: asks ? texts.asks : texts.answers,
    });
    const heading = element('h3', { text: title, dir: 'auto' });
    return element('li', {}, heading, badge, element('p', { text: description, dir: 'auto' }));
  });
  if (actions.length === 0) byId('actions').replaceChildren(element('li', { className: 'hint', text: texts.nothing }));
}

/** Redraws only what is new: a button keeps its focus while somebody uses the page. */
function replaceItems<T>(list: HTMLElement, items: readonly T[], draw: (item: T) => HTMLElement): void {
  const content = JSON.stringify(items);
  if (list.dataset['content'] === content) return;
  list.dataset['content'] = content;
  list.replaceChildren(...items.map(draw));
}

function drawLists(project: DemoProject): void {
  project.lists.forEach((list, index) => {
    let view = lists[index];
    if (view === undefined) {
      view = new ListView(index, texts);
      lists.push(view);
      byId('lists').append(view.section);
    }
    view.draw(list);
  });
  markShownRows();
}

function markShownRows(): void {
  const keys = shownKeys(location.href);
  for (const view of lists) view.markShown(keys);
}

/** Puts the lists back to how they were at the start, and begins a new conversation. */
async function startOver(): Promise<void> {
  newConversation();
  history.replaceState(null, '', location.pathname);
  const isDone = await fetch(`${base}/helper/demo/reset`, { method: 'POST' }).then(
    ({ ok }) => ok,
    () => false,
  );
  await refresh();
  byId('status').textContent = isDone ? texts.startedOver : texts.notStartedOver;
}

/** A page of this application opens without leaving it, so the conversation goes on. */
function navigate(event: Event): void {
  const detail: unknown = event instanceof CustomEvent ? event.detail : null;
  const url = typeof detail === 'object' && detail !== null && 'url' in detail ? detail.url : null;
  if (typeof url !== 'string' || !URL.canParse(url, location.href)) return;
  const target = new URL(url, location.href);
  if (target.origin !== location.origin || target.pathname !== location.pathname) return;
  event.preventDefault();
  history.pushState(null, '', target);
  markShownRows();
  // Where no row is meant, the whole list is.
  if (shownKeys(target.href).size === 0) lists[0]?.section.scrollIntoView();
}

byId('start-over').textContent = texts.startOver;
byId('start-over').addEventListener('click', () => void startOver());
byId('try-title').textContent = texts.tryThis;
byId('promise').textContent = texts.promise;
byId('abilities-title').textContent = texts.abilities;
// With `enableActionFeedback: false` no action is told; the end of an answer is.
listenToWidget(['action', 'reply'], () => void refresh());
listenToWidget(['message'], () => void holdPrompts(answerEnd()));
document.addEventListener('helper:navigate', navigate);
window.addEventListener('popstate', markShownRows);
window.addEventListener('focus', () => void refresh());
leavePanelRoom();
void refresh();
