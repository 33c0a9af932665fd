import { messageTemplate } from '@campus/messages/contract'

/** Messages of the faces domain: a consent that waits for somebody. */
export const facesTemplates = {
  ask: messageTemplate({
    code: 'faces.consent_ask', name: '人脸授权请求', fields: { name: 30 }, field_names: { name: '姓名' }, channels: [2, 3],
    title: '请确认{name}的人脸信息授权',
    body: '学校申请采集{name}的人脸照片用于校园通行。请打开本消息的链接，或在办事大厅“我的－人脸授权”中，选择同意或不同意；不同意不影响使用校园卡和二维码通行。',
  }),
}
