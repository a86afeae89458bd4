import type { ServerTexts } from '../server-texts.ts';

export const spanish: ServerTexts = {
  locale: 'es',
  tourActionsTitle: 'Qué puedes pedir',
  tourActionsText: 'Abre el chat y di lo que necesitas: {actions}',
  errors: {
    message_too_long: 'El mensaje es demasiado largo: se permiten como máximo {max} caracteres.',
    unsafe_message: 'Este mensaje no se puede responder aquí. Formúlelo de otra manera.',
    safety_check_unavailable:
      'El mensaje no se ha podido comprobar y por eso no se ha respondido. Inténtelo de nuevo más tarde.',
    out_of_scope: 'Aquí no puedo ayudarle con eso. Pregunte algo sobre esta aplicación.',
    reply_withheld: 'La respuesta no ha superado una comprobación y no se muestra. Pregunte de otra manera.',
    too_many_images: 'Demasiadas imágenes. Límite por mensaje: {max}.',
    image_too_large: 'Una imagen es demasiado grande: se permiten como máximo {max} MB.',
    rate_limited: 'Ha enviado muchos mensajes en poco tiempo. Espere un poco e inténtelo de nuevo.',
    budget_exceeded: 'Su presupuesto para el asistente se ha agotado. Podrá responder de nuevo a partir de: {when}.',
    invalid_request: 'El mensaje está vacío. Escribe algo.',
    overloaded: 'En este momento se están respondiendo demasiados mensajes. Espere un poco e inténtelo de nuevo.',
    turn_in_progress: 'Otra respuesta sigue en curso. Espera a que termine o detenla.',
    server_draining: 'El servidor se está reiniciando. Inténtalo de nuevo en un momento.',
    model_unavailable: 'No se puede contactar con el asistente en este momento. Inténtalo de nuevo.',
    model_timeout: 'El asistente ha tardado demasiado en responder. Inténtalo de nuevo.',
    model_refused: 'El asistente no puede responder a este mensaje.',
    tool_loop_limit: 'El asistente no pudo completar la petición. Pídela en pasos más pequeños.',
    interrupted:
      'El servidor se interrumpió antes de completar la respuesta. Compruebe lo que se hizo antes de volver a intentarlo.',
    internal: 'Algo ha salido mal. Inténtalo de nuevo.',
  },
  modelKeyRefused: 'El asistente no está bien configurado. Avisa a los responsables de esta aplicación.',
  messageOverWindow: 'El mensaje, con lo que lo acompaña, es demasiado largo para el asistente. Acórtalo, por favor.',
  budgetHeld:
    'Lo que queda de su presupuesto está reservado para respuestas en curso. Inténtelo de nuevo en un momento.',
  actionFailed: 'No se pudo completar la acción.',
  actionUnavailable:
    'El sistema que realiza esta acción no está disponible en este momento. Vuelva a intentarlo más tarde.',
  actionUnknown: 'No se sabe si la acción se completó. Compruébalo antes de volver a intentarlo.',
  roleMissing: 'Hace falta el rol {roles}, que no tienes. No se ha cambiado nada.',
  actionSwitchedOff: 'Esta acción está desactivada por el momento. No se ha cambiado nada.',
  argumentRules: {
    missing: 'falta',
    tooShort: 'demasiado corto (longitud mínima: {limit})',
    tooLong: 'demasiado largo (longitud máxima: {limit})',
    tooSmall: 'debe ser {limit} o más',
    tooLarge: 'debe ser {limit} o menos',
    notMore: 'debe ser mayor que {limit}',
    notLess: 'debe ser menor que {limit}',
    tooFew: 'muy pocos elementos (mínimo: {limit})',
    tooMany: 'demasiados elementos (máximo: {limit})',
    notOneOf: 'valores posibles: {limit}',
    notWhole: 'debe ser un número entero',
    other: 'no es válido aquí',
  },
};
