import type { MenuItem } from '../menu/menu-contract.ts';
import { BudgetView } from './budget-view.ts';
import { budgetTexts } from './budget-texts.ts';
import { ConversationList } from './conversation-list.ts';
import { FactList } from './fact-list.ts';
import { factTexts } from './fact-texts.ts';
import type { KeptModule } from './kept-contract.ts';
import type { ListEnds } from './list-dialog.ts';
import { listTexts } from './list-texts.ts';

interface OpenList {
  open(): void;
  leave(): void;
}

/** The items of the menu that open the lists. They are removed, and an open list with them, when another user uses the page. */
export const listsOf: KeptModule['listsOf'] = (options, kept, removed) => {
  const { conversation, texts, focusComposer } = options;
  let open: OpenList | null = null;
  const press = (list: (ends: ListEnds) => OpenList) => (opener: HTMLElement) => {
    open = list({
      closed: () => {
        open = null;
        opener.focus();
      },
      signedOut: () => {
        removed();
        focusComposer();
      },
    });
    open.open();
  };
  const conversations: MenuItem = {
    icon: 'kept',
    // A clock with an arrow that runs back.
    path: 'M4 4v5h5M4.6 9a8 8 0 1 1-.6 5M12 8v5l3 2',
    name: () => listTexts(texts().locale).list,
    press: press((ends) => new ConversationList(options, ends)),
  };
  const facts: MenuItem = {
    icon: 'facts',
    // A bookmark.
    path: 'M7 4h10v16l-5-4-5 4z',
    name: () => factTexts(texts().locale).list,
    press: press((ends) => new FactList({ ...options, mayOpen: kept.conversations }, ends)),
  };
  const budget: MenuItem = {
    icon: 'budget',
    // A gauge.
    path: 'M4 17a8 8 0 1 1 16 0M12 17l4-6',
    name: () => budgetTexts(texts().locale).list,
    press: press((ends) => new BudgetView(options, ends)),
  };
  conversation.onOtherUser = () => {
    open?.leave();
    removed();
  };
  return [
    ...(kept.conversations ? [conversations] : []),
    ...(kept.memory ? [facts] : []),
    ...(kept.budget ? [budget] : []),
  ];
};
