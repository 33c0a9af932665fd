import { messageTemplate } from '@campus/messages/contract'

/** Messages of evaluation: to the pupil and his guardians alone (chapter 55 rule 41). */
export const evaluationTemplates = {
  given: messageTemplate({
    code: 'evaluation.star', name: '评星记录', fields: { type: 12, points: 10 }, field_names: { type: '指标', points: '分值' }, channels: [],
    title: '新的评价：{type} {points}', body: '获得“{type}”{points}，可在“综合评价”中查看；有异议可在7天内申诉。',
  }),
}
