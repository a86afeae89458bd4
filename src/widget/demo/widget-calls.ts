interface WidgetQueue {
  readonly q: { readonly push: (...calls: unknown[]) => unknown };
  /** Exists once the widget has loaded. */
  readonly getState?: () => Promise<{ readonly isRunning: boolean }>;
}

const longestLoadMs = 10_000;
const lookAgainMs = 250;

declare global {
  var HelperWidget: WidgetQueue | undefined;
}

/** Calls the widget. A widget that has not loaded yet finds the call in its queue. */
function call(...values: readonly unknown[]): void {
  const waiting: unknown[] = [];
  const widget = (globalThis.HelperWidget ??= { q: waiting });
  widget.q.push(values);
}

/**
 * Opens the panel and sends a message. While an answer is under way it only opens the panel, where that answer waits for its user.
 * Resolves when the widget has the message. Also resolves after a while, because the widget may never load.
 */
export async function say(text: string): Promise<void> {
  if (await isAnswering()) {
    call('open');
    return;
  }
  const isSent = new Promise((resolve) => document.addEventListener('helper:message', resolve, { once: true }));
  call('send', text);
  await Promise.race([isSent, pause(longestLoadMs)]);
}

/** Resolves when no answer is under way. */
export async function answerEnd(): Promise<void> {
  do await pause(lookAgainMs);
  while (await isAnswering());
}

async function isAnswering(): Promise<boolean> {
  return (await globalThis.HelperWidget?.getState?.())?.isRunning === true;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Ends the conversation and begins an empty one. */
export function newConversation(): void {
  call('newConversation');
}

/** The address and the title of the demo page say nothing about where the user is, so the widget sends neither. */
export function sendNoPage(): void {
  call('setContext', { pageName: '' });
}

/** Runs `heard` after each of the named events of the widget. */
export function listenToWidget(names: readonly string[], heard: () => void): void {
  for (const name of names) document.addEventListener(`helper:${name}`, heard);
}
