import { messageTemplate } from '@campus/messages/contract'

/** Messages of evaluation: to the pupil and his guardians alone (chapter 55 rule 41). */
export const evaluationTemplates = {
  given: messageTemplate({
    code: 'evaluation.star', name: '评星记录', fields: { type: 12, points: 10 }, field_names: { type: '指标', points: '分值' }, channels: [],
    title: '新的评价：{type} {points}', body: '获得“{type}”{points}，可在“综合评价”中查看；有异议可在7天内申诉。',
  }),
  level: messageTemplate({
    code: 'evaluation.level', name: '评星等级', fields: { type: 12, level: 4 }, field_names: { type: '指标', level: '等级' }, channels: [],
    title: '获得{type}{level}级', body: '“{type}”达到{level}级，获得日期可在“综合评价”中查看；分值以后下降，已获得的等级保留。',
  }),
}
