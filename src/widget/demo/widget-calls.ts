interface WidgetQueue {
  readonly q: { readonly push: (...calls: unknown[]) => unknown };
}

declare global {
  var HelperWidget: WidgetQueue | undefined;
}

/** Calls the widget, which may not have loaded yet: it then finds the call in its queue. */
function call(...values: readonly unknown[]): void {
  const waiting: unknown[] = [];
  const widget = (globalThis.HelperWidget ??= { q: waiting });
  widget.q.push(values);
}

/** Opens the panel and sends a message. */
export function say(text: string): void {
  call('send', text);
}

/** Ends the conversation and begins an empty one. */
export function newConversation(): void {
  call('newConversation');
}

/** Runs `heard` after each of these events of the widget. */
export function listenToWidget(names: readonly string[], heard: () => void): void {
  for (const name of names) document.addEventListener(`helper:${name}`, heard);
}
