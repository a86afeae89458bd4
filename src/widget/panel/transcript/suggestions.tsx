import type { JSX } from 'preact';
import { fill } from '../../texts/widget-texts.ts';
import type { PanelContext } from '../panel-context.ts';

/** Buttons with first messages, for users who do not know what to ask (contract/widget.md#looks, `enableSuggestions`). */
export function Suggestions({ context }: { readonly context: PanelContext }): JSX.Element | null {
  const { texts, suggestions, actions } = context;
  if (suggestions === undefined) return null;
  const messages = [...suggestions.messages, ...suggestions.pages.map((page) => fill(texts.goToPage, { page }))];
  return (
    <ul class="suggestions" aria-label={texts.suggestions}>
      {messages.map((message) => (
        <li key={message}>
          <button type="button" class="suggestion" dir="auto" onClick={() => actions.suggest(message)}>
            {message}
          </button>
        </li>
      ))}
    </ul>
  );
}
