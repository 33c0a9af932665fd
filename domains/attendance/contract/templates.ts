import { messageTemplate } from '@campus/messages/contract'

const field_names = { name: '学生', date: '日期', lessons: '节次' }
const fields = { name: 30, date: 10, lessons: 120 }

/** What families hear of attendance (chapter 55 §3.13): one message a half-day, and a correction where it turns out otherwise. */
export const attendTemplates = {
  absent: messageTemplate({
    code: 'attendance.absent',
    name: '缺勤提醒',
    fields,
    field_names,
    channels: [],
    title: '缺勤提醒：{name}',
    body: '{name}{date}未到：{lessons}。请与班主任联系核实；如有误，可在“学生考勤”中申请更正。',
  }),
  late: messageTemplate({
    code: 'attendance.late',
    name: '迟到提醒',
    fields,
    field_names,
    channels: [],
    title: '迟到提醒：{name}',
    body: '{name}{date}迟到：{lessons}。',
  }),
  corrected: messageTemplate({
    code: 'attendance.corrected',
    name: '考勤更正提醒',
    fields,
    field_names,
    channels: [],
    title: '考勤已更正：{name}',
    body: '此前通知的{name}{date}考勤已更正：{lessons}。',
  }),
}
