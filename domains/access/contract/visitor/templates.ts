import { messageTemplate } from '@campus/messages/contract'

const about = { name: 50, at: 20, no: 16 } as const
const about_names = { name: '访客', at: '时间', no: '单号' } as const

/** What hosts and visitors are told (chapter 35 R50). */
export const visitTemplates = {
  submitted: messageTemplate({ code: 'access.visit_submitted', name: '访客预约', fields: about, field_names: about_names, channels: [], title: '{name}预约来访', body: '{name}预约于{at}来访（{no}），请在访客通行审核中同意或拒绝。' }),
  approved: messageTemplate({ code: 'access.visit_approved', name: '访客预约通过', fields: about, field_names: about_names, channels: [], title: '来访预约已通过', body: '您好{name}，您{at}的来访预约（{no}）已通过，请在预约页面查看通行码和二维码。' }),
  refused: messageTemplate({ code: 'access.visit_refused', name: '访客预约未通过', fields: about, field_names: about_names, channels: [], title: '来访预约未通过', body: '您好{name}，您{at}的来访预约（{no}）未通过，请联系学校。' }),
  arrived: messageTemplate({ code: 'access.visit_arrived', name: '访客到访', fields: about, field_names: about_names, channels: [], title: '{name}已到校', body: '您的访客{name}（{no}）已于{at}到校。' }),
  overdue: messageTemplate({ code: 'access.visit_overdue', name: '访客超时未离', fields: about, field_names: about_names, channels: [], title: '{name}超时未离校', body: '您的访客{name}（{no}）应于{at}离校，目前仍在校内。请联系访客，或请门岗延长时间。' }),
  left: messageTemplate({ code: 'access.visit_left', name: '访客离校', fields: about, field_names: about_names, channels: [], title: '{name}已离校', body: '您的访客{name}（{no}）已于{at}离校。' }),
}
