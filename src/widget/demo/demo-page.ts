import { shownOrder } from './shown-order.ts';
import { type Order, readOrders } from './read-orders.ts';

/**
 * The order desk of the demo page. The plugin holds the orders; after each action of the assistant the list is read again
 * and what has changed lights up.
 */
const changedForMs = 4000;
let shown: readonly Order[] | null = null;

async function refresh(): Promise<void> {
  const orders = await readOrders(document.body.dataset['orders'] ?? '');
  byId('hint').hidden = orders !== null;
  byId('table-box').hidden = orders === null;
  if (orders === null) return;
  const before = new Map((shown ?? orders).map((order) => [order.orderNumber, JSON.stringify(order)]));
  const rows = orders.map((order) => {
    const row = rowOf(order);
    row.classList.toggle('is-changed', before.get(order.orderNumber) !== JSON.stringify(order));
    return row;
  });
  byId('orders').replaceChildren(...rows);
  shown = orders;
  markShownOrder();
  summarise(orders);
  setTimeout(() => {
    for (const row of rows) row.classList.remove('is-changed');
  }, changedForMs);
}

function rowOf(order: Order): HTMLTableRowElement {
  const row = document.createElement('tr');
  row.dataset['order'] = String(order.orderNumber);
  const number = document.createElement('th');
  number.scope = 'row';
  number.textContent = String(order.orderNumber);
  const status = document.createElement('span');
  status.className = `status ${order.status}`;
  status.textContent = order.status;
  const total = cell(order.total.toFixed(2), 'number');
  row.append(number, cell(order.customer), cell(order.item), cell(status), total);
  row.append(cell(order.address, 'wide'), cell(order.placedOn));
  return row;
}

function cell(content: string | Node, className = ''): HTMLTableCellElement {
  const element = document.createElement('td');
  element.className = className;
  element.append(content);
  return element;
}

function summarise(orders: readonly Order[]): void {
  const open = orders.filter(({ status }) => status === 'open').length;
  byId('summary').textContent = `${String(orders.length)} orders, ${String(open)} open`;
}

/** The order that the address names, as in `/?order=1002`. */
function markShownOrder(): void {
  const number = shownOrder(location.href);
  for (const row of document.querySelectorAll<HTMLElement>('tr[data-order]')) {
    const isShown = row.dataset['order'] === number;
    row.classList.toggle('is-shown', isShown);
    if (isShown) row.scrollIntoView({ block: 'center' });
  }
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
  markShownOrder();
}

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no ${id}`);
  return element;
}

document.addEventListener('helper:action', () => void refresh());
// With `enableActionFeedback: false` no action is told; the end of an answer is.
document.addEventListener('helper:reply', () => void refresh());
document.addEventListener('helper:navigate', navigate);
window.addEventListener('popstate', markShownOrder);
window.addEventListener('focus', () => void refresh());
void refresh();
