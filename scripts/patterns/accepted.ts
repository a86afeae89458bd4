const ofDemo = 'the demo model alone uses it, on messages that are bounded';
const ofBrowser = 'it runs in the browser that shows the text, and each line or bracket is tried once';

/** Expressions that the checker does not let through, by file and expression, and why no text takes them long all the same. */
export const accepted: ReadonlyMap<string, string> = new Map([
  [String.raw`src/adapters/models/demo/conversation.ts /(?:(?:^|\n)\[(?:image|file): [^\]\n]*\])+$/`, ofDemo],
  [
    String.raw`src/adapters/models/demo/demo-memory.ts /(?<!\p{L})(?:remember that|(?:merke? dir|merken sie sich),? dass|(?:souviens-toi|souvenez-vous|retiens|retenez) que|ricorda(?:ti)? che|recuerd[ae] que|lembre-se de que|lembra-te de que|onthou[d]? dat|zapamiętaj,? że|pamiętaj,? że) (?<behind>.+)|记住[，,：:]?(?<after>.+)|^(?<before>.+?)(?:こと)?を覚えて/imu`,
    ofDemo,
  ],
  [
    String.raw`src/adapters/models/demo/demo-memory.ts /what do you (?:know|remember) about me|what(?: is|['’]s) my name|who am i\b|was wei(?:ß|ss)t du (?:über|von) mi[rc]h?|was wissen sie über mich|wie hei(?:ß|ss)e ich|que sai[st]-tu (?:de|sur) moi|que savez-vous (?:de|sur) moi|comment je m['’]appelle|cosa sai di me|come mi chiamo|qué sabes (?:de|sobre) mí|cómo me llamo|o que (?:sabe|sabes) (?:de|sobre) mim|como me chamo|wat weet (?:je|u) (?:over|van) mij|hoe heet ik|co o mnie wiesz|jak mam na imię|私について何を|私の名前は(?:何|なん)|你(?:知道|记得).*我|我叫什么/iu`,
    ofDemo,
  ],
  [String.raw`src/adapters/models/demo/demo-memory.ts /[\s.!。！]+$/u`, ofDemo],
  [
    String.raw`src/adapters/models/demo/demo-safety.ts /ignore .{0,30}instructions|ignor\w* .{0,30}(?:anweisungen|vorgaben|instrucciones|instructions|istruzioni|instruções)|negeer .{0,30}instructies|zignoruj .{0,30}instrukcje|指示を.{0,10}無視|忽略.{0,10}(?:指令|指示|说明)/iu`,
    ofDemo,
  ],
  [
    String.raw`src/adapters/plugin-directory/place-of-error.ts /(?<address>(?:file:\/\/)?\/[^\s()]*?):(?<line>\d+)(?::(?<column>\d+))?(?=[\s)]|$)/g`,
    'it reads the stack of a plugin that does not load, while the server starts',
  ],
  [
    String.raw`src/adapters/shared/words/words.ts /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+)|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]]+/gv`,
    'the flag v has no checker; two classes without a character in common take each character once',
  ],
  [
    String.raw`src/adapters/welcome-message/parse-welcome-message.ts /<!--[^]*?-->|<(?=\/?([a-z][^\s/>]{0,100}))/gi`,
    'the welcome message is the operator\u2019s, and read once',
  ],
  [
    String.raw`src/widget/markdown/bare-link.ts /(?<![a-z0-9])(?:https?:\/\/|www\.)|(?<![a-z0-9.+-])[a-z0-9][\w.+-]{0,63}@/gi`,
    ofBrowser,
  ],
  [String.raw`src/widget/markdown/bare-link.ts /_[^.]*(?:\.[^.]*)?$/`, ofBrowser],
  [String.raw`src/widget/markdown/block-start.ts /^(?:(${'`'}{3,})([^${'`'}]*)|(~{3,})(.*))$/`, ofBrowser],
  [
    String.raw`src/widget/markdown/read-inline.ts /\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>${'`'}]+|'[^']*'|"[^"]*"))?/`,
    ofBrowser,
  ],
  [String.raw`src/widget/markdown/read-inline.ts /\[((?:[^[\]\\]|\\[^]){0,999})\]/y`, ofBrowser],
  [String.raw`src/widget/markdown/table-row.ts /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/`, ofBrowser],
  [String.raw`src/widget/markdown/take-definitions.ts /\[((?:[^[\]\\]|\\[^]){1,999})\]:[ \t\n]*/y`, ofBrowser],
]);
