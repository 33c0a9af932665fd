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
  revealLimit: messageTemplate({
    code: 'people.reveal_limit', name: '敏感信息查看达到上限', fields: { who: 50, count: 4, at: 16 }, field_names: { who: '人员', count: '次数', at: '时间' }, channels: [],
    title: '有人频繁查看敏感信息',
    body: '{who}在{at}前的一小时内查看了{count}次证件号、手机号等完整信息，已达上限，暂时不能再查看。请核对是否为工作需要；每次查看的人员、字段和原因记在系统操作日志中。',
  }),
}
