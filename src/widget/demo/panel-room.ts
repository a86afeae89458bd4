/** The smallest width of the page beside the panel. On a narrower page the panel lies over it, as on a phone. */
const leastWidth = 300;

/** Keeps the page clear of the open panel, on whichever side and at whatever width the panel stands. */
export function leavePanelRoom(): void {
  const resized = new ResizeObserver(fit);
  resized.observe(document.documentElement);
  let observed: Element | null = null;
  const changed = (): void => {
    const panel = panelOf();
    if (panel !== null && panel !== observed) resized.observe(panel);
    observed = panel;
    fit();
  };
  for (const name of ['open', 'close']) document.addEventListener(`helper:${name}`, changed);
}

function fit(): void {
  const { documentElement } = document;
  const panel = panelOf();
  const width = documentElement.clientWidth;
  // The panel's place at the end of its opening animation.
  const left = panel?.open === true ? panel.offsetLeft : width;
  const right = panel?.open === true ? left + panel.offsetWidth : width;
  const isAtLeft = left + right < width;
  const needed = isAtLeft ? right : width - left;
  const room = `${String(width - needed < leastWidth ? 0 : needed)}px`;
  documentElement.style.setProperty('--room-left', isAtLeft ? room : '0px');
  documentElement.style.setProperty('--room-right', isAtLeft ? '0px' : room);
}

function panelOf(): HTMLDialogElement | null {
  return document.querySelector('helper-widget')?.shadowRoot?.querySelector<HTMLDialogElement>('dialog.panel') ?? null;
}
