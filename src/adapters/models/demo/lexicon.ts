import { plainText, stem } from './words.ts';

/** A meaning that the demo model knows in all ten languages. */
export type Concept = Verb | Noun | Intent;
/** The action that a request asks for. The name of each tool has only a few verbs, or none. */
export type Verb = 'read' | 'cancel' | 'change' | 'refund' | 'delete' | 'create' | 'navigate';
type Noun = 'order' | 'address' | 'customer' | 'page' | 'open' | 'shipped' | 'delivered' | 'it';
type Intent = 'help' | 'about' | 'greeting' | 'thanks' | 'not';

/**
 * Words by meaning, without accents. A `*` stands for any end of a word. Several words are a phrase. Japanese and Chinese have no spaces,
 * so their words are found anywhere. All languages share one list, because users mix them.
 */
const vocabulary: Readonly<Record<Concept, string>> = {
  read: `show, list, display, view, see, get, find, look, lookup, search, where, what, which, status, track, how many, check,
    mostra*, elenca*, visualizza*, vedere, vedi, trova*, cerca*, dove, stato, quali, montre*, affiche*, liste*, voir,
    trouve*, cherche*, ou est, ou sont, ou en est, quel*, statut, zeig*, auflist*, anzeig*, find*, such*, wo, welche*,
    stand, muestra*, mostrar, ver, encuentra*, busca*, donde, cual*, estado, mostre*, encontr*, procur*, onde, quais, toon*,
    laat, zien, vind*, zoek*, waar, welk*, pokaz*, wyswietl*, znajdz*, szuka*, gdzie, jakie, sprawdz*, 表示, 見せて, 一覧, 検索,
    どこ, 状態, 教えて, 显示, 查看, 列出, 查询, 查找, 哪里, 在哪, 状态, 看看, 哪些`,
  cancel: `cancel*, call off, annulla*, cancella*, annul*, stornier*, absag*, anuluj*, anulow*, anular*, キャンセル, 取り消, 取消`,
  change: `change*, changing, update*, edit*, modif*, correct*, alter*, set, aggiorna*, cambia*, cambi, chang*, mettre a jour,
    ander, andere, andern, aktualisier*, actualiz*, atualiz*, muda*, mude, wijzig*, verander*, zmien*, edytuj, popraw*, 変更, 修正,
    更新, 更改, 修改, 改为, 改成`,
  refund: `refund*, reimburs*, money back, rimbors*, rembours*, erstatt*, ruckerstatt*, reembols*, terugbetal*, betaal terug,
    geld terug, zwrot*, zwroc*, 返金, 払い戻, 退款`,
  delete: `delete*, remove*, erase*, elimina*, supprim*, losch*, entfern*, borra*, exclu*, verwijder*, usun*, 削除, 删除`,
  create: `create*, add, new, place, make, crea*, aggiungi*, cree*, ajout*, erstell*, hinzuf*, anlege*, anad*, agrega*, cria*,
    adicion*, maak*, toevoeg*, utworz*, dodaj*, 作成, 追加, 创建, 添加, 新建`,
  navigate: `open, go to, take me, bring me, navigate*, visit, apri, aprire, vai a*, portami, ouvre*, ouvrir, va a, aller,
    offne*, geh zu*, gehe zu*, bring mich, abre, abrir, abra, ve a, llevame, ir a, ir para, ga naar, otworz*, przejdz*, 開いて,
    開く, 移動, 打开, 前往, 转到`,
  order: `order*, ordin*, commande*, bestell*, pedido*, encomenda*, zamowien*, 注文, 订单`,
  address: `address*, indirizz*, adress*, adres*, direccion*, endereco*, morada*, 住所, 地址`,
  customer: `customer*, client*, kund*, klant*, klient*, 顧客, 客户`,
  page: `page*, screen, pagin*, seite*, stron*, ページ, 页面`,
  open: `open, opened, apert*, ouvert*, offen*, abiert*, abert*, openstaand*, otwart*, 未完了, 未完成, 待处理`,
  shipped: `shipped, spedit*, expedi*, versand*, versendet, enviad*, verzonden, wyslan*, 発送, 已发货`,
  delivered: `delivered, consegnat*, livre*, geliefert, zugestellt, entregad*, entregue*, geleverd, bezorgd, dostarczon*, 配達, 已送达`,
  it: `it, that one, this one, this order, that order, quest ordine, cette commande, diese bestellung, dieser bestellung,
    este pedido, ese pedido, esta encomenda, deze bestelling, to zamowienie, tego zamowienia, それ, この注文, 它, 这个订单, 该订单`,
  help: `help, what can you do, what can i do, aiuto, cosa puoi fare, cosa sai fare, aide, que peux tu faire, que pouvez vous faire,
    que sais tu faire, que savez vous faire, que tu peux faire, que vous pouvez faire,
    hilfe, was kannst du, was konnen sie, ayuda, que puedes hacer, que puede hacer, que sabes hacer, que sabe hacer,
    ajuda, o que voce pode fazer, o que podes fazer, o que sabes fazer, o que voce sabe fazer, hulp, wat kun je, wat kunt u,
    wat kan je, pomoc, pomoz, co potrafisz, co mozesz, ヘルプ, 何ができ, 帮助, 你能做什么, 你会做什么, 能做什么`,
  about: `what is this, who are you, what are you, what app is this, cos e questo, che cos e, chi sei, qu est ce que c est, qui es tu,
    qui etes vous, was ist das, wer bist du, wer sind sie, que es esto, quien eres, o que e isto, o que e isso, quem e voce, quem es,
    wat is dit, wie ben je, co to jest, kim jestes, これは何, あなたは誰, 这是什么, 你是谁`,
  not: `not, don t, never, non, pas, nicht, kein*, no cancel*, no anul*, no cambi*, no borr*, no elimin*, no reembols*, nao, niet, geen,
    nie, ないで, 不要, 别`,
  greeting: `hello, hi, hey, good morning, good afternoon, good evening, ciao, buongiorno, salve, bonjour, salut, hallo, guten tag, hola,
    buenos dias, ola, bom dia, hoi, goedendag, czesc, dzien dobry, こんにちは, 你好`,
  thanks: `thanks, thank you, grazie, merci, danke, gracias, obrigad*, dank je, dank u, bedankt, dziekuj*, ありがとう, 谢谢`,
};

const verbs: ReadonlySet<Concept> = new Set<Verb>([
  'read',
  'cancel',
  'change',
  'refund',
  'delete',
  'create',
  'navigate',
]);
const spaceless = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** Words that say nothing about the request. English words are enough here: names and descriptions of tools are English. */
const fillers: ReadonlySet<string> = new Set(
  `a all am an and any are at be by can could did do does for from has have i if in is just me my now of on only or our please so
  some such than that the their them then there these they this those to until want was we were will with would you your`.split(
    /\s+/,
  ),
);

interface Entry {
  readonly concept: Concept;
  /** Finds the entry in a plain text that has spaces around each word. */
  readonly pattern: RegExp;
}

const entries: readonly Entry[] = conceptsOf(vocabulary).flatMap((concept) =>
  vocabulary[concept].split(',').map((word) => ({ concept, pattern: patternOf(word.trim().replace(/\s+/g, ' ')) })),
);

/** A concept at the place where a text names it. */
export interface Mention {
  readonly concept: Concept;
  /** The position in the plain text. */
  readonly at: number;
}

/** Every concept a text names, in the order of the text. */
export function mentions(text: string): readonly Mention[] {
  const plain = plainText(text);
  const found = entries.flatMap(({ concept, pattern }) => {
    const at = plain.search(pattern);
    return at < 0 ? [] : [{ concept, at }];
  });
  return found.sort((one, other) => one.at - other.at);
}

/** The terms by which words are compared: the concept of a word if it has one, else its stem. */
export function termsOf(words: readonly string[]): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const word of words.filter((candidate) => !fillers.has(candidate))) {
    const concepts = mentions(word);
    for (const { concept } of concepts) terms.add(concept);
    if (concepts.length === 0) terms.add(stem(word));
  }
  return terms;
}

/** Whether a term is a verb of the lexicon. */
export function isVerb(term: string): term is Verb {
  // The set holds the verbs only, and asking it for another text is harmless.
  return verbs.has(term as Concept);
}

/** Whether a text is written without spaces, as Japanese and Chinese are. */
export function isSpaceless(text: string): boolean {
  return spaceless.test(text);
}

function conceptsOf(words: Readonly<Record<Concept, string>>): readonly Concept[] {
  // The keys of a Record of Concept are concepts.
  return Object.keys(words) as Concept[];
}

function patternOf(word: string): RegExp {
  const plain = plainText(word.replace('*', '')).trim();
  if (spaceless.test(plain)) return new RegExp(plain, 'u');
  return new RegExp(word.endsWith('*') ? ` ${plain}` : ` ${plain} `, 'u');
}
