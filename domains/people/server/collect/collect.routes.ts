import { collectAnswerApi, collectReviewApi, collectTaskApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { giveAnswer, listMine, readForm } from './answer.service.ts'
import { decideAnswers, listWaiting } from './review.service.ts'
import { addTask, askableFields, closeTask, joinTask, listTasks, openTask, readStat, remindTask, updateTask } from './task.service.ts'

export const collectRoutes = [
  ...implement(collectTaskApi, {
    fields: (ctx, asked) => askableFields(ctx, asked),
    page: (ctx, query) => listTasks(ctx, query),
    stat: (ctx, params) => readStat(ctx, params),
    add: (ctx, draft) => addTask(ctx, draft),
    update: (ctx, patch) => updateTask(ctx, patch),
    open: (ctx, asked) => openTask(ctx, asked),
    join: (ctx, asked) => joinTask(ctx, asked),
    close: (ctx, asked) => closeTask(ctx, asked),
    remind: (ctx, asked) => remindTask(ctx, asked),
  }),
  ...implement(collectAnswerApi, {
    mine: ctx => listMine(ctx),
    form: (ctx, asked) => readForm(ctx, asked),
    answer: (ctx, said) => giveAnswer(ctx, said),
  }),
  ...implement(collectReviewApi, {
    waiting: (ctx, query) => listWaiting(ctx, query),
    decide: (ctx, decided) => decideAnswers(ctx, decided),
  }),
]
