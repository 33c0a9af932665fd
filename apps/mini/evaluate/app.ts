import { myStarApi, recordApi, starShowApi } from '@campus/evaluation/contract'
import { app } from '../shell/app.ts'

/** 综合评价: giving stars in two taps, records, rankings, one's own stars with an appeal (chapter 80 §5, 21). */
export const evaluate = app({
  code: 'evaluate',
  audience: ['everybody'],
  calls: {
    options: recordApi.options,
    pupils: recordApi.pupils,
    give: recordApi.give,
    undo: recordApi.undo,
    records: recordApi.page,
    ranking: starShowApi.ranking,
    subjects: myStarApi.subjects,
    mine: myStarApi.list,
    appeal: myStarApi.add,
  },
  pages: ['评价', '记录', '排行', '我的星', '申诉'],
  features: [
    { code: 'give', need: 'evaluation.star.give' },
    { code: 'view', need: 'evaluation.star.view' },
  ],
})
