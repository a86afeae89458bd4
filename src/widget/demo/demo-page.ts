import type { DemoProject } from '../../wire/demo-project.ts';
import { byId, element } from './element.ts';
import { demoTexts } from './demo-texts.ts';
import { ListView, shownKeys } from './list-view.ts';
import { leavePanelRoom } from './panel-room.ts';
import { readProject } from './read-project.ts';
import { answerEnd, listenToWidget, newConversation, say, sendNoPage } from './widget-calls.ts';

/**
 * The demo page. It shows what the assistant can do in this project, buttons that send example prompts, and the lists of the plugins. The
 * lists are read again after each action.
 */
const base = document.body.dataset['base'] ?? '';
const texts = demoTexts(document.documentElement.lang);
const lists: ListView[] = [];
let reading: Promise<void> | null = null;
let isStale = false;
/** How many running answers hold the prompts back. */
let holds = 0;

/** Reads the project again. A request during a read causes another read right after it, so that the page never shows old data. */
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

/** Holds the prompts back until `work` ends. A prompt that is sent during an answer would wait where nobody sees it. */
async function holdPrompts(work: Promise<void>): Promise<void> {
  holds += 1;
  markHeld();
  await work;
  holds -= 1;
  markHeld();
}

/** Holds a button through `aria-disabled`, so that it keeps its focus. */
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

/** Redraws the items only if they have changed, so that a button keeps its focus while somebody uses the page. */
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

/** Resets the lists to their state at the start, and begins a new conversation. */
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

/** Opens a page of this application without leaving the document, so that the conversation continues. */
function navigate(event: Event): void {
  const detail: unknown = event instanceof CustomEvent ? event.detail : null;
  const url = typeof detail === 'object' && detail !== null && 'url' in detail ? detail.url : null;
  if (typeof url !== 'string' || !URL.canParse(url, location.href)) return;
  const target = new URL(url, location.href);
  if (target.origin !== location.origin || target.pathname !== location.pathname) return;
  event.preventDefault();
  history.pushState(null, '', target);
  markShownRows();
  // The address names no row, so the whole list is shown.
  if (shownKeys(target.href).size === 0) lists[0]?.section.scrollIntoView();
}

byId('start-over').textContent = texts.startOver;
byId('start-over').addEventListener('click', () => void startOver());
byId('try-title').textContent = texts.tryThis;
byId('promise').textContent = texts.promise;
byId('abilities-title').textContent = texts.abilities;
// With `enableActionFeedback: false` no `action` event comes, so `reply` also refreshes the lists.
listenToWidget(['action', 'reply'], () => void refresh());
listenToWidget(['message'], () => void holdPrompts(answerEnd()));
document.addEventListener('helper:navigate', navigate);
window.addEventListener('popstate', markShownRows);
window.addEventListener('focus', () => void refresh());
leavePanelRoom();
sendNoPage();
void refresh();
