import { appealApi, committeeApi, myStarApi, recordApi, recordList, starShowApi, starTypeApi } from '@campus/evaluation/contract'
import { claim } from '@campus/files/server'
import { exportHandler } from '@kit/server/export'
import { addAppeal, decideAppeal, pageAppeals } from './appeal.service.ts'
import { listClasses, readCommittee, readTeachers, saveCommittee } from './committee.service.ts'
import { readLimits, writeLimits } from './committee-limits.ts'
import { implement } from './db.ts'
import { giveStars } from './give.service.ts'
import { listMyStars, listMySubjects, readProfile } from './profile.service.ts'
import { listPupils, pageRecords, readOptions } from './record.queries.ts'
import { approveRecord, revokeRecord, undoBatch } from './revoke.service.ts'
import { settleNow } from './settle.service.ts'
import { listPeriods, readDisplay, readRanking, readWall, setOptOut, writeDisplay } from './show.service.ts'
import { addType, orderTypes, readTree, removeType, updateType } from './type.service.ts'

export const evaluationServerRoutes = [
  ...implement(starTypeApi, {
    tree: ctx => readTree(ctx),
    add: (ctx, asked) => addType(ctx, asked),
    order: (ctx, asked) => orderTypes(ctx, asked),
    update: (ctx, asked) => updateType(ctx, asked),
    remove: (ctx, asked) => removeType(ctx, asked),
  }),
  ...implement(recordApi, {
    page: (ctx, query) => pageRecords(ctx, query),
    export: exportHandler(recordApi.export, recordList, pageRecords),
    options: ctx => readOptions(ctx),
    pupils: (ctx, query) => listPupils(ctx, query),
    give: {
      before: async (pre, asked) => {
        const enters: Awaited<ReturnType<typeof claim>>[] = []
        for (const file_key of new Set(asked.file_keys)) enters.push(await claim(pre, { file_key, purpose: 'notice' }))
        return async ctx => {
          const given = await giveStars(ctx, asked)
          for (const enter of enters) await enter(ctx, { ref_kind: 'evaluation.star', ref_id: given.batch_no })
          return given
        }
      },
    },
    undo: (ctx, asked) => undoBatch(ctx, asked),
    approve: (ctx, asked) => approveRecord(ctx, asked),
    revoke: (ctx, asked) => revokeRecord(ctx, asked),
    profile: (ctx, query) => readProfile(ctx, query),
  }),
  ...implement(appealApi, {
    page: (ctx, query) => pageAppeals(ctx, query),
    decide: (ctx, asked) => decideAppeal(ctx, asked),
  }),
  ...implement(myStarApi, {
    subjects: ctx => listMySubjects(ctx),
    list: (ctx, query) => listMyStars(ctx, query),
    add: (ctx, asked) => addAppeal(ctx, asked),
  }),
  ...implement(starShowApi, {
    ranking: (ctx, query) => readRanking(ctx, query),
    history: (ctx, query) => listPeriods(ctx, query),
    settle: (ctx, asked) => settleNow(ctx, asked),
    wall: (ctx, query) => readWall(ctx, query),
    display: (ctx, query) => readDisplay(ctx, query),
    setDisplay: (ctx, asked) => writeDisplay(ctx, asked),
    optOut: (ctx, asked) => setOptOut(ctx, asked),
  }),
  ...implement(committeeApi, {
    list: (ctx, query) => readCommittee(ctx, query),
    save: (ctx, asked) => saveCommittee(ctx, asked),
    teachers: (ctx, query) => readTeachers(ctx, query),
    limits: ctx => readLimits(ctx),
    setLimits: (ctx, asked) => writeLimits(ctx, asked),
    classes: ctx => listClasses(ctx),
  }),
]
