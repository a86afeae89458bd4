import type { DemoTexts } from '../demo-texts.ts';

export const portuguese: DemoTexts = {
  greeting: (appName) =>
    `Olá! Sou o assistente de demonstração de ${appName}. Peça-me algo ou pergunte o que sei fazer.`,
  thanks: 'De nada.',
  about: (appName, description) => `Isto é **${appName}**.${description === '' ? '' : ` ${description}`}`,
  isDemo:
    'Sou um modelo de demonstração integrado: sigo regras simples e não preciso de nenhuma chave. Qualquer modelo real pode ocupar o meu lugar.',
  abilities: 'Isto é o que posso fazer aqui:',
  pages: 'Também posso levar você a estas páginas:',
  nothingToDo: 'Ainda não há nada configurado aqui que eu possa fazer.',
  unclear: 'Sou apenas um modelo de demonstração e não entendi.',
  cannotSee: 'Sou apenas um modelo de demonstração e não consigo ver imagens.',
  ask: (label) => `Falta-me um dado: **${label}**. Qual é?`,
  found: (count) => `Resultados encontrados: ${String(count)}.`,
  nothingFound: 'Não encontrei nada.',
  onCard: (count) =>
    `${count === undefined ? '' : `Resultados encontrados: ${String(count)}. `}O cartão mostra os detalhes.`,
  more: (count) => `… e mais ${String(count)}.`,
  here: 'Isto é o que encontrei:',
  done: (label) => `Feito: **${label}**.`,
  doneOnCard: 'Feito. O cartão mostra os detalhes.',
  declined: 'Você recusou, por isso nada foi alterado.',
  refused: 'Não tenho permissão para fazer isso por você, por isso nada foi alterado.',
  cancelled: 'A ação não foi executada, por isso nada foi alterado.',
  failed: (reason) => `Não funcionou: ${reason}`,
  unknown: 'Não se sabe se a ação foi executada. Verifique antes de tentar de novo.',
  opening: (title) => `Abro a página **${title}**.`,
  unfinished: 'Não consegui terminar. Peça em passos menores.',
  noted: 'Vou lembrar-me disso.',
  remembered: 'Disse-me:',
  nothingRemembered: 'Ainda não me lembro de nada sobre si.',
  yes: 'sim',
  no: 'não',
};
