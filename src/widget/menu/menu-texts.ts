import type { McpServerState } from '../../wire/hub-events.ts';

/** The texts of the menu, in one language. */
export interface MenuTexts {
  /** Names the line that says how the panel is connected. */
  readonly chat: string;
  /** The panel has no connection, because it has needed none. */
  readonly idle: string;
  readonly connected: string;
  /** Names the list of the tools that the provider of the model runs. */
  readonly hostedTools: string;
  /** Those tools, by their names in the configuration. */
  readonly hosted: Readonly<Record<string, string>>;
  readonly remoteAgents: string;
  readonly mcpServers: string;
  /** Says how many of all are connected. */
  readonly ready: string;
  readonly states: Readonly<Record<McpServerState['status'], string>>;
}

/** The texts by the primary part of the panel's language. */
const byLanguage: Readonly<Record<string, MenuTexts>> = {
  en: {
    chat: 'Chat',
    idle: 'Ready',
    connected: 'Connected',
    hostedTools: 'Tools of the AI provider',
    hosted: { WebSearch: 'Web search', FileSearch: 'File search', CodeInterpreter: 'Code interpreter' },
    remoteAgents: 'Remote agents',
    mcpServers: 'Tool servers',
    ready: '{ready} of {count} connected',
    states: { connecting: 'connecting…', connected: 'connected', failed: 'not reachable', disabled: 'switched off' },
  },
  de: {
    chat: 'Chat',
    idle: 'Bereit',
    connected: 'Verbunden',
    hostedTools: 'Werkzeuge des KI-Anbieters',
    hosted: { WebSearch: 'Websuche', FileSearch: 'Dateisuche', CodeInterpreter: 'Code-Interpreter' },
    remoteAgents: 'Externe Agenten',
    mcpServers: 'Werkzeug-Server',
    ready: '{ready} von {count} verbunden',
    states: {
      connecting: 'wird verbunden …',
      connected: 'verbunden',
      failed: 'nicht erreichbar',
      disabled: 'ausgeschaltet',
    },
  },
  fr: {
    chat: 'Chat',
    idle: 'Prêt',
    connected: 'Connecté',
    hostedTools: 'Outils du fournisseur de l’IA',
    hosted: {
      WebSearch: 'Recherche sur le Web',
      FileSearch: 'Recherche dans les fichiers',
      CodeInterpreter: 'Interpréteur de code',
    },
    remoteAgents: 'Agents distants',
    mcpServers: 'Serveurs d’outils',
    ready: '{ready} sur {count} connectés',
    states: { connecting: 'connexion…', connected: 'connecté', failed: 'injoignable', disabled: 'désactivé' },
  },
  it: {
    chat: 'Chat',
    idle: 'Pronto',
    connected: 'Collegato',
    hostedTools: 'Strumenti del fornitore dell’IA',
    hosted: { WebSearch: 'Ricerca sul web', FileSearch: 'Ricerca nei file', CodeInterpreter: 'Interprete di codice' },
    remoteAgents: 'Agenti remoti',
    mcpServers: 'Server di strumenti',
    ready: '{ready} di {count} collegati',
    states: {
      connecting: 'collegamento…',
      connected: 'collegato',
      failed: 'non raggiungibile',
      disabled: 'disattivato',
    },
  },
  es: {
    chat: 'Chat',
    idle: 'Listo',
    connected: 'Conectado',
    hostedTools: 'Herramientas del proveedor de la IA',
    hosted: {
      WebSearch: 'Búsqueda en la web',
      FileSearch: 'Búsqueda en archivos',
      CodeInterpreter: 'Intérprete de código',
    },
    remoteAgents: 'Agentes remotos',
    mcpServers: 'Servidores de herramientas',
    ready: '{ready} de {count} conectados',
    states: { connecting: 'conectando…', connected: 'conectado', failed: 'no disponible', disabled: 'desactivado' },
  },
  pt: {
    chat: 'Chat',
    idle: 'Pronto',
    connected: 'Ligado',
    hostedTools: 'Ferramentas do fornecedor da IA',
    hosted: {
      WebSearch: 'Pesquisa na Web',
      FileSearch: 'Pesquisa em ficheiros',
      CodeInterpreter: 'Interpretador de código',
    },
    remoteAgents: 'Agentes remotos',
    mcpServers: 'Servidores de ferramentas',
    ready: '{ready} de {count} ligados',
    states: { connecting: 'a ligar…', connected: 'ligado', failed: 'não acessível', disabled: 'desligado' },
  },
  nl: {
    chat: 'Chat',
    idle: 'Gereed',
    connected: 'Verbonden',
    hostedTools: 'Hulpmiddelen van de AI-aanbieder',
    hosted: { WebSearch: 'Zoeken op het web', FileSearch: 'Zoeken in bestanden', CodeInterpreter: 'Code-interpreter' },
    remoteAgents: 'Externe agents',
    mcpServers: 'Toolservers',
    ready: '{ready} van {count} verbonden',
    states: { connecting: 'verbinden…', connected: 'verbonden', failed: 'niet bereikbaar', disabled: 'uitgeschakeld' },
  },
  pl: {
    chat: 'Czat',
    idle: 'Gotowe',
    connected: 'Połączono',
    hostedTools: 'Narzędzia dostawcy AI',
    hosted: {
      WebSearch: 'Wyszukiwanie w sieci',
      FileSearch: 'Wyszukiwanie w plikach',
      CodeInterpreter: 'Interpreter kodu',
    },
    remoteAgents: 'Zdalni agenci',
    mcpServers: 'Serwery narzędzi',
    ready: 'połączono {ready} z {count}',
    states: { connecting: 'łączenie…', connected: 'połączono', failed: 'nieosiągalny', disabled: 'wyłączony' },
  },
  ja: {
    chat: 'チャット',
    idle: '待機中',
    connected: '接続済み',
    hostedTools: 'AIの提供元のツール',
    hosted: { WebSearch: 'ウェブ検索', FileSearch: 'ファイル検索', CodeInterpreter: 'コードインタープリター' },
    remoteAgents: '外部エージェント',
    mcpServers: 'ツールサーバー',
    ready: '{count}件中{ready}件に接続済み',
    states: { connecting: '接続中…', connected: '接続済み', failed: '接続できません', disabled: '停止中' },
  },
  zh: {
    chat: '聊天',
    idle: '就绪',
    connected: '已连接',
    hostedTools: 'AI 提供商的工具',
    hosted: { WebSearch: '网页搜索', FileSearch: '文件搜索', CodeInterpreter: '代码解释器' },
    remoteAgents: '远程智能体',
    mcpServers: '工具服务器',
    ready: '已连接 {ready}/{count}',
    states: { connecting: '正在连接…', connected: '已连接', failed: '无法连接', disabled: '已停用' },
  },
};

/** The texts for a BCP 47 tag. */
export function menuTexts(locale: string): MenuTexts {
  const texts = byLanguage[locale.split('-')[0] ?? ''] ?? byLanguage['en'];
  if (texts === undefined) throw new Error('there are no texts');
  return texts;
}
