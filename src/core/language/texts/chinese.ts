import type { ServerTexts } from '../server-texts.ts';

export const chinese: ServerTexts = {
  tourActionsTitle: '您可以提出的请求',
  tourActionsText: '打开聊天，说出您的需要：{actions}',
  errors: {
    message_too_long: '消息过长:最多允许 {max} 个字符。',
    too_many_images: '图片过多:一条消息最多可发送 {max} 张。',
    image_too_large: '图片过大:最多允许 {max} MB。',
    rate_limited: '您在短时间内发送了许多消息。请稍候再试。',
    invalid_request: '消息为空。请输入内容。',
    overloaded: '目前正在回复的消息过多。请稍候再试。',
    turn_in_progress: '另一个回答仍在进行中。请等待其完成或将其停止。',
    server_draining: '服务器正在重启。请稍后再试。',
    model_unavailable: '目前无法连接助手。请重试。',
    model_timeout: '助手回答时间过长。请重试。',
    model_refused: '助手无法回答这条消息。',
    tool_loop_limit: '助手未能完成此请求。请分成更小的步骤提出。',
    interrupted: '服务器在回答完成之前中断。请先确认已执行的操作，然后再重试。',
    internal: '出现问题。请重试。',
  },
  actionFailed: '操作未能完成。',
  actionUnavailable: '目前无法连接执行此操作的系统。请稍后再试。',
  actionUnknown: '无法确定操作是否已完成。请先核实再重试。',
  roleMissing: '这需要角色 {roles}，而您没有该角色。没有做任何更改。',
  actionSwitchedOff: '此操作目前已停用。没有做任何更改。',
};
