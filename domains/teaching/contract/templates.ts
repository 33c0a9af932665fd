import { messageTemplate } from '@campus/messages/contract'

/** Messages of teaching: choosing courses to pupils and families, changed lessons to teachers (chapter 50 §7). */
export const teachingTemplates = {
  elective: messageTemplate({
    code: 'teaching.elective', name: '选课通知', fields: { task: 40, text: 200 }, field_names: { task: '任务', text: '内容' }, channels: [],
    title: '选课：{task}', body: '“{task}”：{text}',
  }),
  change: messageTemplate({
    code: 'teaching.change', name: '调课代课通知', fields: { text: 200 }, field_names: { text: '内容' }, channels: [], title: '调课代课通知',
      body: '{text}，请查看课表。',
  }),
}
