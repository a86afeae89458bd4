/** What chunks with elements take from here (scripts/build-widget.ts). */
export { Component, createRef, Fragment, h } from 'preact';

import { WidgetPanel } from './panel/widget-panel.tsx';
import type { WidgetTexts } from './texts/widget-texts.ts';
import type { DisplayOptions } from './display-options.ts';
import type { Panel, PanelHost } from './widget-contract.ts';

/** Draws the closed panel into the loader's element. */
export function createPanel(host: PanelHost, display: DisplayOptions, texts: WidgetTexts): Panel {
  return new WidgetPanel(host, display, texts);
}
