import { applyApi, formApi, leaveList, leaveReport, leaveSettingApi, mineApi, quotaApi, reasonApi, recordApi, recoverApi, taskApi } from '@campus/leave/contract'
import { sealedForm } from '@campus/files/server'
import { exportHandler } from '@kit/server/export'
import { reportExport } from '@kit/server/report'
import { addApply, applyActs, optionsOf, previewApply, readEffects, readLeave, readPickups, retryEffect } from './apply/apply.service.ts'
import { withProofs } from './apply/attach.ts'
import { pageLeaves, readToday } from './apply/list.service.ts'
import { implement } from './db.ts'
import type { LeaveCtx } from './db.ts'
import { copyForm, disableForm, listForms, publishForm, readForm, saveForm, simulateForm } from './form/form.service.ts'
import { addMine, listMine, mineActs, previewMine, readClassToday, readMine, readMyOptions } from './mine/mine.service.ts'
import { correctQuota, grantQuota, pageQuotas, readBalance } from './quota/quota.service.ts'
import { addReason, deleteReason, listReasons, sortReasons, updateReason } from './reason/reason.service.ts'
import { pageReport, readWeek, readWeekPeople } from './record/record.service.ts'
import { addFollow, pageRecover, resumeSchool } from './record/recover.service.ts'
import { readSetting, writeSetting } from './setting.ts'
import { pageTasks, readTask } from './task/task.service.ts'
import { handTask, passMany, passTask, refuseTask, sendBack } from './task/verdict.ts'

function ownSetting(ctx: LeaveCtx) {
  ctx.scoped()
  return readSetting(ctx.db, ctx.school_id)
}

export const leaveRoutes = [
  ...implement(reasonApi, {
    list: ctx => listReasons(ctx),
    add: (ctx, draft) => addReason(ctx, draft),
    update: (ctx, draft) => updateReason(ctx, draft),
    sort: (ctx, asked) => sortReasons(ctx, asked),
    delete: (ctx, asked) => deleteReason(ctx, asked),
  }),
  ...implement(formApi, {
    list: ctx => listForms(ctx),
    read: (ctx, asked) => readForm(ctx, asked),
    save: (ctx, draft) => saveForm(ctx, draft),
    publish: (ctx, asked) => publishForm(ctx, asked),
    copy: (ctx, asked) => copyForm(ctx, asked),
    disable: (ctx, asked) => disableForm(ctx, asked),
    simulate: (ctx, asked) => simulateForm(ctx, asked),
  }),
  ...implement(applyApi, {
    options: ctx => optionsOf(ctx),
    pickups: (ctx, asked) => readPickups(ctx, asked),
    preview: (ctx, draft) => previewApply(ctx, draft),
    add: withProofs(addApply),
    page: (ctx, query) => pageLeaves(ctx, query),
    export: exportHandler(applyApi.export, leaveList, pageLeaves),
    today: (ctx, query) => readToday(ctx, query),
    read: (ctx, asked) => readLeave(ctx, asked),
    effects: (ctx, asked) => readEffects(ctx, asked),
    ...applyActs,
    retry: (ctx, asked) => retryEffect(ctx, asked),
  }),
  ...implement(taskApi, {
    page: (ctx, query) => pageTasks(ctx, query),
    read: (ctx, asked) => readTask(ctx, asked),
    pass: (ctx, verdict) => passTask(ctx, verdict),
    refuse: (ctx, verdict) => refuseTask(ctx, verdict),
    sendBack: (ctx, verdict) => sendBack(ctx, verdict),
    transfer: (ctx, verdict) => handTask(ctx, verdict, true),
    addSign: (ctx, verdict) => handTask(ctx, verdict, false),
    batchPass: (ctx, asked) => passMany(ctx, asked),
  }),
  ...implement(recordApi, {
    page: (ctx, query) => pageReport(ctx, query),
    export: reportExport(recordApi.export, leaveReport, pageReport),
    week: (ctx, query) => readWeek(ctx, query),
    people: (ctx, query) => readWeekPeople(ctx, query),
    recover: (ctx, query) => pageRecover(ctx, query),
  }),
  ...implement(recoverApi, {
    follow: (ctx, asked) => addFollow(ctx, asked),
    resume: (ctx, asked) => resumeSchool(ctx, asked),
  }),
  ...implement(quotaApi, {
    page: (ctx, query) => pageQuotas(ctx, query),
    balance: ctx => readBalance(ctx),
    give: (ctx, asked) => grantQuota(ctx, asked),
    correct: (ctx, asked) => correctQuota(ctx, asked),
  }),
  ...implement(mineApi, {
    options: ctx => readMyOptions(ctx),
    list: ctx => listMine(ctx),
    read: (ctx, asked) => readMine(ctx, asked),
    preview: (ctx, draft) => previewMine(ctx, draft),
    add: withProofs(addMine),
    uploadForm: { outside: pre => sealedForm(pre, 'person_file') },
    ...mineActs,
    today: ctx => readClassToday(ctx),
  }),
  ...implement(leaveSettingApi, {
    read: ctx => ownSetting(ctx),
    write: (ctx, asked) => writeSetting(ctx, asked),
  }),
]
