import type { ServerTexts } from '../server-texts.ts';

export const japanese: ServerTexts = {
  tourActionsTitle: '依頼できること',
  tourActionsText: 'チャットを開いて、ご用件をお伝えください：{actions}',
  errors: {
    message_too_long: 'メッセージが長すぎます。最大 {max} 文字までです。',
    too_many_images: '画像が多すぎます。1 件のメッセージで送れるのは最大 {max} 枚です。',
    image_too_large: '画像が大きすぎます。最大 {max} MB までです。',
    rate_limited: '短い時間に多くのメッセージが送信されました。しばらく待ってからもう一度お試しください。',
    invalid_request: 'メッセージが空です。内容を入力してください。',
    overloaded: '現在、多くのメッセージに回答しています。しばらく待ってからもう一度お試しください。',
    turn_in_progress: '別の回答がまだ進行中です。終わるまで待つか、停止してください。',
    server_draining: 'サーバーを再起動しています。しばらくしてからもう一度お試しください。',
    model_unavailable: '現在アシスタントに接続できません。もう一度お試しください。',
    model_timeout: 'アシスタントの回答に時間がかかりすぎました。もう一度お試しください。',
    model_refused: 'アシスタントはこのメッセージに回答できません。',
    tool_loop_limit: 'アシスタントはこの依頼を完了できませんでした。小さな手順に分けてお試しください。',
    interrupted: '回答が完了する前にサーバーが中断されました。もう一度試す前に、実行された内容をご確認ください。',
    internal: '問題が発生しました。もう一度お試しください。',
  },
  actionFailed: '操作を完了できませんでした。',
  actionUnavailable: 'この操作を実行するシステムに現在接続できません。しばらくしてからもう一度お試しください。',
  actionUnknown: '操作が完了したかどうか不明です。もう一度試す前に確認してください。',
  roleMissing: 'これには役割 {roles} が必要ですが、お持ちではありません。何も変更されていません。',
  actionSwitchedOff: 'このアクションは現在停止されています。何も変更されていません。',
};
