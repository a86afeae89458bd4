import type { DemoTexts } from '../demo-texts.ts';

export const spanish: DemoTexts = {
  greeting: (appName) =>
    `¡Hola! Soy el asistente de demostración de ${appName}. Pídeme algo o pregúntame qué sé hacer.`,
  thanks: 'De nada.',
  about: (appName, description) => `Esto es **${appName}**.${description === '' ? '' : ` ${description}`}`,
  isDemo:
    'Soy un modelo de demostración integrado: sigo reglas sencillas y no necesito ninguna clave. Cualquier modelo real puede ocupar mi lugar.',
  abilities: 'Esto es lo que puedo hacer aquí:',
  pages: 'También puedo llevarte a estas páginas:',
  nothingToDo: 'Aquí todavía no hay nada configurado que yo pueda hacer.',
  unclear: 'Solo soy un modelo de demostración y no lo he entendido.',
  cannotSee: 'Solo soy un modelo de demostración y no puedo ver imágenes.',
  ask: (label) => `Me falta un dato: **${label}**. ¿Cuál es?`,
  found: (count) => `Resultados encontrados: ${String(count)}.`,
  nothingFound: 'No he encontrado nada.',
  onCard: (count) =>
    `${count === undefined ? '' : `Resultados encontrados: ${String(count)}. `}La tarjeta muestra los detalles.`,
  more: (count) => `… y ${String(count)} más.`,
  here: 'Esto es lo que he encontrado:',
  done: (label) => `Hecho: **${label}**.`,
  doneOnCard: 'Hecho. La tarjeta muestra los detalles.',
  declined: 'Lo has rechazado, así que no se ha cambiado nada.',
  refused: 'No se me permite hacer eso por ti, así que no se ha cambiado nada.',
  cancelled: 'La acción no se ha ejecutado, así que no se ha cambiado nada.',
  failed: (reason) => `No ha funcionado: ${reason}`,
  unknown: 'No se sabe si la acción se ha ejecutado. Compruébalo antes de volver a intentarlo.',
  opening: (title) => `Abro la página **${title}**.`,
  unfinished: 'No he podido terminarlo. Pídemelo en pasos más pequeños.',
  noted: 'Lo recordaré.',
  remembered: 'Me has dicho:',
  nothingRemembered: 'Todavía no recuerdo nada sobre ti.',
  yes: 'sí',
  no: 'no',
};
