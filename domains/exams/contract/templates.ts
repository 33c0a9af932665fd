import { messageTemplate } from '@campus/messages/contract'

/** Messages of exams: no score in any of them (chapter 55 §7). */
export const examTemplates = {
  duty: messageTemplate({
    code: 'exams.duty', name: '监考安排', fields: { exam: 50 }, field_names: { exam: '考试' }, channels: [], title: '监考安排：{exam}', body: '“{exam}”的监考安排已发布，请查看您的场次和考场。',
  }),
  plan: messageTemplate({
    code: 'exams.plan', name: '考试安排', fields: { exam: 50, days: 30 }, field_names: { exam: '考试', days: '日期' }, channels: [], title: '考试安排：{exam}', body: '“{exam}”（{days}）的考场和座位已安排，请以准考证或考场门贴为准。',
  }),
  recalled: messageTemplate({
    code: 'exams.recalled', name: '考试安排撤回', fields: { exam: 50, reason: 200 }, field_names: { exam: '考试', reason: '原因' }, channels: [], title: '考试安排已撤回：{exam}', body: '“{exam}”的安排已撤回，新的安排会另行通知。原因：{reason}',
  }),
  released: messageTemplate({
    code: 'exams.released', name: '成绩发布', fields: { exam: 50 }, field_names: { exam: '考试' }, channels: [], title: '成绩已发布：{exam}', body: '“{exam}”的成绩已发布，请在“我的成绩”中查看。',
  }),
  amended: messageTemplate({
    code: 'exams.amended', name: '成绩更正', fields: { exam: 50 }, field_names: { exam: '考试' }, channels: [], title: '成绩已更正：{exam}', body: '“{exam}”中的一项成绩已更正，请在“我的成绩”中查看。',
  }),
  swapAsked: messageTemplate({
    code: 'exams.swap_asked', name: '监考换班申请', fields: { name: 50, exam: 50, time: 30 }, field_names: { name: '申请人', exam: '考试',
      time: '时间' }, channels: [],
    title: '监考换班申请：{name}', body: '{name}请您代为监考“{exam}”{time}的场次，请在“我的监考”中答复。',
  }),
  swapDecided: messageTemplate({
    code: 'exams.swap_decided', name: '监考换班结果', fields: { exam: 50, time: 30, result: 30 }, field_names: { exam: '考试', time: '时间',
      result: '结果' }, channels: [],
    title: '监考换班：{result}', body: '“{exam}”{time}的监考换班{result}，请以“我的监考”为准。',
  }),
  reviewed: messageTemplate({
    code: 'exams.reviewed', name: '查分答复', fields: { exam: 50, subject: 20 }, field_names: { exam: '考试', subject: '科目' }, channels: [],
    title: '查分答复：{exam}', body: '“{exam}”{subject}的查分申请已答复，请在“我的成绩”中查看。',
  }),
}
