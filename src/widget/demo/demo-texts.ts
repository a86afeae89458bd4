/** The demo page's own texts in one language. A missing text is a compile error. */
export interface DemoTexts {
  readonly tryThis: string;
  readonly promise: string;
  readonly abilities: string;
  /** Marks an action that runs only after the user's approval. */
  readonly asks: string;
  /** Marks an action that runs without the user's approval. */
  readonly answers: string;
  /** Shown when no plugin and no callback offers an action. */
  readonly nothing: string;
  /** The prompt that takes a user to a page. */
  readonly goTo: (page: string) => string;
  /** The number of rows of a list, and the number of rows that are not shown. */
  readonly entries: (count: number, hidden: number) => string;
  readonly unreadable: string;
  readonly unreachable: string;
  readonly startOver: string;
  readonly startedOver: string;
  readonly notStartedOver: string;
  readonly yes: string;
  readonly no: string;
}

const english: DemoTexts = {
  tryThis: 'Try this',
  promise: 'Press one, or write in your own words. Before anything changes, you are asked.',
  abilities: 'What the assistant can do here',
  asks: 'asks you first',
  answers: 'answers at once',
  nothing: 'Nothing is set up yet. Name a folder with a plugin as actions.plugins in helper.yaml.',
  goTo: (page) => `Go to the page ${page}`,
  entries: (count, hidden) => `Entries: ${counted('en', count, hidden)}`,
  unreadable: 'The list cannot be read right now.',
  unreachable: 'The server cannot be reached. The page tries again when you come back to it.',
  startOver: 'Start over',
  startedOver: 'Everything is as it was at the start.',
  notStartedOver: 'Not everything could be put back.',
  yes: 'yes',
  no: 'no',
};

const allTexts: Readonly<Record<string, DemoTexts>> = {
  en: english,
  it: {
    tryThis: 'Prova così',
    promise: 'Premi una frase o scrivi con parole tue. Prima di ogni modifica ti viene chiesto.',
    abilities: "Che cosa sa fare qui l'assistente",
    asks: 'prima chiede',
    answers: 'risponde subito',
    nothing: 'Non è ancora configurato nulla. Indica in helper.yaml, in actions.plugins, una cartella con un plugin.',
    goTo: (page) => `Vai alla pagina ${page}`,
    entries: (count, hidden) => `Voci: ${counted('it', count, hidden)}`,
    unreadable: "L'elenco al momento non può essere letto.",
    unreachable: 'Il server non è raggiungibile. La pagina riprova quando ci torni.',
    startOver: 'Ricomincia',
    startedOver: "Tutto è come all'inizio.",
    notStartedOver: 'Non è stato possibile ripristinare tutto.',
    yes: 'sì',
    no: 'no',
  },
  fr: {
    tryThis: 'Essayez',
    promise: 'Choisissez une phrase ou écrivez la vôtre. Avant tout changement, on vous demande votre accord.',
    abilities: "Ce que l'assistant sait faire ici",
    asks: "demande d'abord",
    answers: 'répond tout de suite',
    nothing: "Rien n'est encore configuré. Indiquez un dossier avec un plugin dans actions.plugins de helper.yaml.",
    goTo: (page) => `Ouvre la page ${page}`,
    entries: (count, hidden) => `Entrées : ${counted('fr', count, hidden)}`,
    unreadable: 'La liste ne peut pas être lue pour le moment.',
    unreachable: 'Le serveur est injoignable. La page réessaie quand vous y revenez.',
    startOver: 'Recommencer',
    startedOver: 'Tout est comme au début.',
    notStartedOver: "Tout n'a pas pu être rétabli.",
    yes: 'oui',
    no: 'non',
  },
  de: {
    tryThis: 'Zum Ausprobieren',
    promise: 'Wählen Sie einen Satz oder schreiben Sie einen eigenen. Bevor sich etwas ändert, werden Sie gefragt.',
    abilities: 'Was der Assistent hier kann',
    asks: 'fragt vorher',
    answers: 'antwortet sofort',
    nothing:
      'Noch ist nichts eingerichtet. Nennen Sie in helper.yaml unter actions.plugins einen Ordner mit einem Plugin.',
    goTo: (page) => `Öffne die Seite ${page}`,
    entries: (count, hidden) => `Einträge: ${counted('de', count, hidden)}`,
    unreadable: 'Die Liste kann gerade nicht gelesen werden.',
    unreachable: 'Der Server ist nicht erreichbar. Die Seite versucht es wieder, wenn Sie zurückkommen.',
    startOver: 'Von vorn beginnen',
    startedOver: 'Alles ist wieder wie am Anfang.',
    notStartedOver: 'Nicht alles ließ sich zurücksetzen.',
    yes: 'ja',
    no: 'nein',
  },
  es: {
    tryThis: 'Prueba esto',
    promise: 'Pulsa una frase o escribe con tus palabras. Antes de cada cambio se te pregunta.',
    abilities: 'Lo que el asistente sabe hacer aquí',
    asks: 'pregunta antes',
    answers: 'responde enseguida',
    nothing: 'Aún no hay nada configurado. Indica en actions.plugins de helper.yaml una carpeta con un plugin.',
    goTo: (page) => `Abre la página ${page}`,
    entries: (count, hidden) => `Entradas: ${counted('es', count, hidden)}`,
    unreadable: 'Ahora no se puede leer la lista.',
    unreachable: 'No se puede acceder al servidor. La página lo intenta de nuevo cuando vuelves a ella.',
    startOver: 'Empezar de nuevo',
    startedOver: 'Todo está como al principio.',
    notStartedOver: 'No se pudo restablecer todo.',
    yes: 'sí',
    no: 'no',
  },
  pt: {
    tryThis: 'Experimente',
    promise: 'Escolha uma frase ou escreva a sua. Antes de qualquer alteração, é-lhe perguntado.',
    abilities: 'O que o assistente sabe fazer aqui',
    asks: 'pergunta primeiro',
    answers: 'responde logo',
    nothing: 'Ainda não há nada configurado. Indique em actions.plugins do helper.yaml uma pasta com um plugin.',
    goTo: (page) => `Abra a página ${page}`,
    entries: (count, hidden) => `Entradas: ${counted('pt', count, hidden)}`,
    unreadable: 'De momento não é possível ler a lista.',
    unreachable: 'Não é possível contactar o servidor. A página tenta de novo quando voltar a ela.',
    startOver: 'Recomeçar',
    startedOver: 'Está tudo como no início.',
    notStartedOver: 'Nem tudo pôde ser reposto.',
    yes: 'sim',
    no: 'não',
  },
  nl: {
    tryThis: 'Probeer dit',
    promise: 'Kies een zin of schrijf er zelf een. Voordat er iets verandert, wordt het u gevraagd.',
    abilities: 'Wat de assistent hier kan',
    asks: 'vraagt eerst',
    answers: 'antwoordt meteen',
    nothing: 'Er is nog niets ingesteld. Noem in helper.yaml bij actions.plugins een map met een plug-in.',
    goTo: (page) => `Ga naar de pagina ${page}`,
    entries: (count, hidden) => `Regels: ${counted('nl', count, hidden)}`,
    unreadable: 'De lijst kan nu niet worden gelezen.',
    unreachable: 'De server is niet bereikbaar. De pagina probeert het opnieuw wanneer u terugkomt.',
    startOver: 'Opnieuw beginnen',
    startedOver: 'Alles is weer zoals aan het begin.',
    notStartedOver: 'Niet alles kon worden hersteld.',
    yes: 'ja',
    no: 'nee',
  },
  pl: {
    tryThis: 'Wypróbuj',
    promise: 'Wybierz zdanie lub napisz własne. Przed każdą zmianą pojawi się pytanie.',
    abilities: 'Co potrafi tu asystent',
    asks: 'najpierw pyta',
    answers: 'odpowiada od razu',
    nothing: 'Nic jeszcze nie skonfigurowano. Podaj w actions.plugins w pliku helper.yaml folder z wtyczką.',
    goTo: (page) => `Otwórz stronę ${page}`,
    entries: (count, hidden) => `Pozycje: ${counted('pl', count, hidden)}`,
    unreadable: 'Listy nie można teraz odczytać.',
    unreachable: 'Serwer jest nieosiągalny. Strona spróbuje ponownie, gdy na nią wrócisz.',
    startOver: 'Zacznij od nowa',
    startedOver: 'Wszystko jest jak na początku.',
    notStartedOver: 'Nie wszystko udało się przywrócić.',
    yes: 'tak',
    no: 'nie',
  },
  ja: {
    tryThis: '試してみましょう',
    promise: '選ぶか、ご自身の言葉で書いてください。何かを変更する前には必ず確認します。',
    abilities: 'アシスタントがここでできること',
    asks: '先に確認します',
    answers: 'すぐに答えます',
    nothing: 'まだ何も設定されていません。helper.yaml の actions.plugins にプラグインのフォルダーを指定してください。',
    goTo: (page) => `ページ「${page}」を開いて`,
    entries: (count, hidden) => `件数：${counted('ja', count, hidden)}`,
    unreadable: '現在、一覧を読み込めません。',
    unreachable: 'サーバーに接続できません。このページに戻ると再試行します。',
    startOver: '最初からやり直す',
    startedOver: 'すべて最初の状態に戻りました。',
    notStartedOver: '元に戻せなかったものがあります。',
    yes: 'はい',
    no: 'いいえ',
  },
  'zh-Hans': {
    tryThis: '试一试',
    promise: '点一句，或用您自己的话写。更改任何内容之前都会先询问您。',
    abilities: '助手在这里能做什么',
    asks: '会先询问',
    answers: '立即回答',
    nothing: '尚未设置任何功能。请在 helper.yaml 的 actions.plugins 中指定插件所在的文件夹。',
    goTo: (page) => `打开页面“${page}”`,
    entries: (count, hidden) => `条目：${counted('zh-Hans', count, hidden)}`,
    unreadable: '目前无法读取列表。',
    unreachable: '无法连接服务器。您回到此页面时会重试。',
    startOver: '重新开始',
    startedOver: '一切已恢复到最初的状态。',
    notStartedOver: '有些内容未能恢复。',
    yes: '是',
    no: '否',
  },
};

/** `200 / 1,250` when some rows are not shown. */
function counted(tag: string, count: number, hidden: number): string {
  const format = new Intl.NumberFormat(tag);
  return hidden === 0 ? format.format(count) : `${format.format(count - hidden)} / ${format.format(count)}`;
}

/** The texts of a language tag. English for a tag that has no texts. */
export function demoTexts(tag: string): DemoTexts {
  return allTexts[tag] ?? english;
}
