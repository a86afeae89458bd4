import type { ServerTexts } from '../server-texts.ts';

export const english: ServerTexts = {
  tourActionsTitle: 'What you can ask for',
  tourActionsText: 'Open the chat and say what you need: {actions}',
  errors: {
    message_too_long: 'The message is too long: at most {max} characters are allowed.',
    too_many_images: 'Too many pictures. Limit of a message: {max}.',
    image_too_large: 'A picture is too large: at most {max} MB are allowed.',
    rate_limited: 'You have sent many messages in a short time. Please wait a little and try again.',
    invalid_request: 'The message is empty. Please write something.',
    overloaded: 'Too many messages are being answered at the moment. Please wait a little and try again.',
    turn_in_progress: 'Another answer is still running. Please wait for it or stop it.',
    server_draining: 'The server is being restarted. Please try again in a moment.',
    model_unavailable: 'The assistant cannot be reached right now. Please try again.',
    model_timeout: 'The assistant took too long to answer. Please try again.',
    model_refused: 'The assistant cannot answer this message.',
    tool_loop_limit: 'The assistant could not finish this request. Please ask for it in smaller steps.',
    interrupted:
      'The server was interrupted before the answer was complete. Please check what was done before you try again.',
    internal: 'Something went wrong. Please try again.',
  },
  actionFailed: 'The action could not be completed.',
  actionUnavailable: 'The system behind this action cannot be reached right now. Please try again later.',
  actionUnknown: 'It is not known whether the action was completed. Please check before you try again.',
  roleMissing: 'This needs the role {roles}, which you do not have. Nothing was changed.',
  actionSwitchedOff: 'This action is switched off at the moment. Nothing was changed.',
};
