import { messageTemplate } from '@campus/messages/contract'

/** Messages of the people domain. */
export const peopleTemplates = {
  suspensionEnding: messageTemplate({
    code: 'people.suspension_ending', name: '休学即将到期', fields: { names: 60, day: 10 }, field_names: { names: '学生', day: '截止日期' }, channels: [],
    title: '学生休学即将到期',
    body: '{names}的休学将于{day}到期。请联系家长，在学生家长档案中办理复学或延长休学；到期后不会自动复学。',
  }),
}
