/** A widget that is compared: where it comes from, and what a user would find on its page. */
export interface Product {
  readonly name: string;
  /** Package and version that the table names; Helper is the one of this checkout. */
  readonly label: string;
  /** Exact versions of what npm installs for it, and of what would otherwise not fit together. */
  readonly packages: Readonly<Record<string, string>>;
  /** Files that the package ships, and does not export. */
  readonly unexported?: readonly string[];
  /** A button that opens the chat; without it the chat is part of the page. */
  readonly launcher?: string;
  readonly composer: string;
  /** Where the conversation stands. */
  readonly chat: string;
}

/** A product whose page is there. */
export interface Contestant {
  readonly product: Product;
  readonly url: string;
}

const react = { react: '19.2.0', 'react-dom': '19.2.0' };

/** This product, from the built server. */
export const helper: Product = {
  name: 'helper',
  label: 'Helper',
  packages: {},
  launcher: 'helper-widget .launcher',
  composer: 'helper-widget textarea',
  chat: 'helper-widget dialog.panel',
};

/** The other products, in the order of the table. */
export const peers: readonly Product[] = [
  {
    name: 'deep-chat',
    label: 'deep-chat 2.4.2',
    packages: { 'deep-chat': '2.4.2' },
    composer: 'deep-chat #text-input',
    chat: 'deep-chat #container',
  },
  {
    name: 'botpress',
    label: '@botpress/webchat 4.5.2',
    packages: { '@botpress/webchat': '4.5.2', ...react },
    unexported: ['@botpress/webchat/dist/style.css'],
    launcher: '.bpFabContainer',
    composer: '.bpContainer textarea',
    chat: '.bpContainer',
  },
  {
    name: 'assistant-ui',
    label: '@assistant-ui/react 0.15.20',
    packages: {
      '@assistant-ui/react': '0.15.20',
      '@assistant-ui/react-markdown': '0.14.16',
      // Newer versions of these packages need versions of each other that the registry does not have.
      '@assistant-ui/core': '0.3.20',
      '@assistant-ui/store': '0.3.14',
      '@assistant-ui/tap': '0.9.18',
      'remark-gfm': '4.0.1',
      ...react,
    },
    launcher: '.launcher',
    composer: '.composer textarea',
    chat: '.panel',
  },
  {
    name: 'copilotkit',
    label: '@copilotkit/react-core 1.74.0',
    packages: { '@copilotkit/react-core': '1.74.0', '@ag-ui/client': '0.0.59', ...react },
    launcher: '[data-testid="copilot-chat-toggle"]',
    composer: '[data-testid="copilot-chat-textarea"]',
    chat: '[data-testid="copilot-popup"]',
  },
];

/** Products of the same kind that are not in the table, each with the reason. */
export const absent: readonly string[] = [
  'Chainlit: its widget is not on npm, only inside its Python package; `@chainlit/react-client` there has no user interface',
];
