import type { DemoTexts } from '../demo-texts.ts';

export const japanese: DemoTexts = {
  greeting: (appName) => `こんにちは。${appName}のデモアシスタントです。ご用件をどうぞ。何ができるかもお尋ねください。`,
  thanks: 'どういたしまして。',
  about: (appName, description) => `これは**${appName}**です。${description}`,
  isDemo:
    '私は組み込みのデモモデルです。簡単な規則に従って動き、キーは必要ありません。本物のモデルに置き換えることができます。',
  abilities: 'ここでできることは次のとおりです。',
  pages: '次のページにもご案内できます。',
  nothingToDo: 'ここでできることはまだ設定されていません。',
  unclear: 'デモモデルのため、理解できませんでした。',
  ask: (label) => `もう一つ教えてください：**${label}**は何ですか？`,
  found: (count) => `${String(count)}件見つかりました。`,
  nothingFound: '何も見つかりませんでした。',
  onCard: (count) => `${count === undefined ? '' : `${String(count)}件見つかりました。`}詳しくはカードをご覧ください。`,
  more: (count) => `…ほか${String(count)}件。`,
  here: '見つかった内容は次のとおりです。',
  done: (label) => `完了しました：**${label}**。`,
  declined: '承認されなかったため、何も変更していません。',
  refused: 'この操作は許可されていないため、何も変更していません。',
  cancelled: '実行されなかったため、何も変更していません。',
  failed: (reason) => `うまくいきませんでした：${reason}`,
  unknown: '実行されたかどうか分かりません。もう一度試す前にご確認ください。',
  opening: (title) => `ページ「**${title}**」を開きます。`,
  unfinished: '最後まで完了できませんでした。もう少し小さく分けてお願いします。',
  yes: 'はい',
  no: 'いいえ',
};
