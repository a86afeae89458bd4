import { Component, type JSX } from 'preact';
import type { PanelContext } from '../panel/panel-context.ts';
import { ToolButton, type ToolIcon } from './tool-button.tsx';

/** Milliseconds for which the button shows whether copying worked. */
const shownMs = 2000;

interface CopyButtonProps {
  readonly context: PanelContext;
  readonly text: string;
}

/** Copies a reply. */
export class CopyButton extends Component<CopyButtonProps, { readonly icon: ToolIcon }> {
  override state: { readonly icon: ToolIcon } = { icon: 'copy' };
  #timer: ReturnType<typeof setTimeout> | undefined;

  override componentWillUnmount(): void {
    clearTimeout(this.#timer);
  }

  readonly #copy = async (): Promise<void> => {
    const { context, text } = this.props;
    this.setState({ icon: (await context.actions.copy(text)) ? 'check' : 'warning' });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.setState({ icon: 'copy' }), shownMs);
  };

  override render({ context }: CopyButtonProps, { icon }: { readonly icon: ToolIcon }): JSX.Element {
    return <ToolButton icon={icon} name={context.texts.copy} press={() => void this.#copy()} />;
  }
}
