import { messageTemplate } from '@campus/messages/contract'

/** Messages of the people domain. */
export const peopleTemplates = {
  signReminder: messageTemplate({
    code: 'people.sign_reminder', name: '签约提醒', fields: {}, field_names: {}, channels: [],
    title: '请完成支付签约',
    body: '您还没有签约免密支付或自动充值。签约后可以刷脸、刷卡消费，余额不足时自动充值；请在手机端“支付签约”中办理，随时可以解约。',
  }),
  collectAsked: messageTemplate({
    code: 'people.collect_asked', name: '信息采集', fields: { title: 40, at: 16 }, field_names: { title: '采集', at: '截止时间' }, channels: [],
    title: '请核对信息：{title}',
    body: '学校请您核对“{title}”中的信息，截止时间{at}。信息无误时一键确认即可；有变化的请修改后提交。',
  }),
  suspensionEnding: messageTemplate({
    code: 'people.suspension_ending', name: '休学即将到期', fields: { names: 60, day: 10 }, field_names: { names: '学生', day: '截止日期' }, channels: [],
    title: '学生休学即将到期',
    body: '{names}的休学将于{day}到期。请联系家长，在学生家长档案中办理复学或延长休学；到期后不会自动复学。',
  }),
}
