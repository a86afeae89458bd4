import type { ServerTexts } from '../server-texts.ts';

export const portuguese: ServerTexts = {
  tourActionsTitle: 'O que pode pedir',
  tourActionsText: 'Abra o chat e diga o que precisa: {actions}',
  errors: {
    message_too_long: 'A mensagem é demasiado longa: são permitidos no máximo {max} caracteres.',
    too_many_images: 'Demasiadas imagens. Limite por mensagem: {max}.',
    image_too_large: 'Uma imagem é demasiado grande: são permitidos no máximo {max} MB.',
    rate_limited: 'Enviou muitas mensagens em pouco tempo. Aguarde um pouco e tente novamente.',
    invalid_request: 'A mensagem está vazia. Escreva alguma coisa.',
    overloaded: 'De momento estão a ser respondidas demasiadas mensagens. Aguarde um pouco e tente novamente.',
    turn_in_progress: 'Outra resposta ainda está em curso. Espere por ela ou pare-a.',
    server_draining: 'O servidor está a reiniciar. Tente novamente daqui a pouco.',
    model_unavailable: 'O assistente não está disponível neste momento. Tente novamente.',
    model_timeout: 'O assistente demorou demasiado a responder. Tente novamente.',
    model_refused: 'O assistente não pode responder a esta mensagem.',
    tool_loop_limit: 'O assistente não conseguiu concluir o pedido. Tente em passos mais pequenos.',
    interrupted:
      'O servidor foi interrompido antes de concluir a resposta. Verifique o que foi feito antes de tentar novamente.',
    internal: 'Algo correu mal. Tente novamente.',
  },
  actionFailed: 'Não foi possível concluir a ação.',
  actionUnavailable: 'O sistema que executa esta ação está inacessível de momento. Tente novamente mais tarde.',
  actionUnknown: 'Não se sabe se a ação foi concluída. Verifique antes de tentar novamente.',
  roleMissing: 'É preciso o papel {roles}, que não tem. Nada foi alterado.',
  actionSwitchedOff: 'Esta ação está desativada neste momento. Nada foi alterado.',
};
