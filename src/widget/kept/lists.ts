import { iconButton, nameButton } from '../nodes/icon-button.ts';
import { BudgetView } from './budget-view.ts';
import { budgetTexts } from './budget-texts.ts';
import { ConversationList } from './conversation-list.ts';
import { FactList } from './fact-list.ts';
import { factTexts } from './fact-texts.ts';
import type { KeptModule } from './kept-contract.ts';
import type { ListEnds } from './list-dialog.ts';
import { listTexts } from './list-texts.ts';

/** A button in the panel's header that opens a list. */
interface ListButton {
  readonly icon: string;
  readonly path: string;
  /** In the panel's language. */
  readonly name: () => string;
  readonly list: (ends: ListEnds) => OpenList;
}

interface OpenList {
  open(): void;
  leave(): void;
}

/**
 * Adds the buttons that open the lists to the panel's header, unless they are there already. The buttons and an open list are removed when
 * another user uses the page.
 */
export const addLists: KeptModule['addLists'] = (options, kept) => {
  const { content, conversation, texts, focusComposer } = options;
  const header = content.querySelector('.header');
  if (header === null || header.querySelector('.kept-button') !== null) return;
  const conversations: ListButton = {
    icon: 'kept',
    // A clock with an arrow that runs back.
    path: 'M4 4v5h5M4.6 9a8 8 0 1 1-.6 5M12 8v5l3 2',
    name: () => listTexts(texts().locale).list,
    list: (ends) => new ConversationList(options, ends),
  };
  const facts: ListButton = {
    icon: 'facts',
    // A bookmark.
    path: 'M7 4h10v16l-5-4-5 4z',
    name: () => factTexts(texts().locale).list,
    list: (ends) => new FactList({ ...options, mayOpen: kept.conversations }, ends),
  };
  const budget: ListButton = {
    icon: 'budget',
    // A gauge.
    path: 'M4 17a8 8 0 1 1 16 0M12 17l4-6',
    name: () => budgetTexts(texts().locale).list,
    list: (ends) => new BudgetView(options, ends),
  };
  let open: OpenList | null = null;
  const remove = (): void => {
    for (const button of buttons) button.remove();
  };
  const signedOut = (): void => {
    remove();
    focusComposer();
  };
  const shown = [
    ...(kept.conversations ? [conversations] : []),
    ...(kept.memory ? [facts] : []),
    ...(kept.budget ? [budget] : []),
  ];
  const buttons = shown.map((kind) => openingButton(kind, { signedOut, opened: (list) => (open = list) }));
  const next = header.querySelector(':scope > .icon-button');
  for (const button of buttons) header.insertBefore(button, next);
  conversation.onOtherUser = () => {
    open?.leave();
    remove();
  };
};

interface ButtonEnds extends Pick<ListEnds, 'signedOut'> {
  readonly opened: (list: OpenList | null) => void;
}

function openingButton({ icon, path, name, list }: ListButton, { opened, signedOut }: ButtonEnds): HTMLButtonElement {
  const closed = (): void => {
    opened(null);
    button.setAttribute('aria-expanded', 'false');
    button.focus();
  };
  const button = iconButton(icon, path, () => {
    nameButton(button, name());
    button.setAttribute('aria-expanded', 'true');
    const shown = list({ closed, signedOut });
    opened(shown);
    shown.open();
  });
  button.classList.add('kept-button');
  button.setAttribute('aria-haspopup', 'dialog');
  button.setAttribute('aria-expanded', 'false');
  nameButton(button, name());
  return button;
}
