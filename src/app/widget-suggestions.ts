import { isForEverybody } from '../core/identity/may-read.ts';
import { sayable } from '../core/tools/sayable.ts';
import type { Toolbox } from '../core/tools/toolbox.ts';
import type { ClientSettings } from '../wire/client-settings.ts';

/** As many as a small panel shows without scrolling. */
const maxSuggestions = 6;

/**
 * The first messages that the widget suggests (contract/widget.md): the configured ones. Without any, the actions that only read and the
 * pages, as far as they are for everybody. Everybody who loads the script can read them.
 */
export function widgetSuggestions(
  { enableSuggestions, suggestions }: { readonly enableSuggestions: boolean; readonly suggestions: readonly string[] },
  toolbox: Pick<Toolbox, 'tools' | 'pages'>,
): Pick<ClientSettings, 'suggestions'> {
  if (!enableSuggestions) return {};
  if (suggestions.length > 0) return { suggestions: { messages: suggestions, pages: [] } };
  const { tools, pages } = sayable(toolbox, isForEverybody);
  const messages = tools.slice(0, maxSuggestions).map(({ title }) => title);
  const rest = pages.slice(0, maxSuggestions - messages.length).map(({ title }) => title);
  return messages.length + rest.length === 0 ? {} : { suggestions: { messages, pages: rest } };
}
