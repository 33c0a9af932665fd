import { messageTemplate } from '@campus/messages/contract'

/** The short messages that lead to a post (chapter 60 §0): the post's own text stays in the post. */
export const postTemplates = {
  post: messageTemplate({
    code: 'publishing.post', name: '通知', fields: { kind: 6, title: 40, summary: 120 }, field_names: { kind: '类型', title: '标题', summary: '摘要' }, channels: [2, 5],
    title: '{kind}：{title}', body: '{summary}\n请在“消息推送”中查看全文。',
  }),
  remind: messageTemplate({
    code: 'publishing.remind', name: '通知提醒', fields: { act: 6, title: 40, due: 24 }, field_names: { act: '待办', title: '标题', due: '截止' }, channels: [2, 5],
    title: '提醒{act}：{title}', body: '您还没有{act}《{title}》{due}，请在“消息推送”中打开。',
  }),
  recall: messageTemplate({
    code: 'publishing.recall', name: '通知撤回', fields: { title: 40, reason: 100 }, field_names: { title: '标题', reason: '原因' }, channels: [],
    title: '通知已撤回：{title}', body: '《{title}》已被撤回，请以后续通知为准。{reason}',
  }),
}
