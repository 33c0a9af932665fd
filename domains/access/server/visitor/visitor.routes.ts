import { blackApi, reasonApi, receiverApi, visitApi, visitList, visitorSettingApi, visitPublicApi } from '@campus/access/contract'
import { exportHandler } from '@kit/server/export'
import { implement } from '../pass/db.ts'
import { createBlack, liftBlack, listBlack } from './black.service.ts'
import { actVisit, lookVisit } from './public.service.ts'
import { listReceivers, setReceivers } from './receiver.ts'
import { scanVisit } from './scan.service.ts'
import { createReason, readOwnSetting, readReasons, removeReason, rotateLink, sortReasons, updateReason, writeVisitorSetting } from './setting.ts'
import { boardVisits, pageVisits } from './visit.queries.ts'
import { cancelVisit, createVisit, extendVisit, passVisits, refuseVisits, registerArrival, registerLeave, visitDetail, visitSlip } from './visit.service.ts'

export const visitorRoutes = [
  ...implement(visitApi, {
    page: (ctx, query) => pageVisits(ctx, query),
    export: exportHandler(visitApi.export, visitList, pageVisits),
    board: ctx => boardVisits(ctx),
    detail: (ctx, params) => visitDetail(ctx, params),
    create: (ctx, draft) => createVisit(ctx, draft),
    cancel: (ctx, asked) => cancelVisit(ctx, asked),
    extend: (ctx, asked) => extendVisit(ctx, asked),
    arrive: (ctx, asked) => registerArrival(ctx, asked),
    leave: (ctx, asked) => registerLeave(ctx, asked),
    slip: (ctx, params) => visitSlip(ctx, params),
    scan: { before: (pre, asked) => scanVisit(pre, asked) },
    pass: (ctx, asked) => passVisits(ctx, asked),
    refuse: (ctx, asked) => refuseVisits(ctx, asked),
  }),
  ...implement(blackApi, { list: (ctx, query) => listBlack(ctx, query), create: (ctx, asked) => createBlack(ctx, asked), lift: (ctx, asked) => liftBlack(ctx, asked) }),
  ...implement(reasonApi, {
    list: async ({ db, school_id }) => ({ list: await readReasons(db, school_id) }),
    choices: async ({ db, school_id }) => ({ list: (await readReasons(db, school_id)).filter(reason => reason.status === 1) }),
    create: (ctx, draft) => createReason(ctx, draft),
    update: (ctx, draft) => updateReason(ctx, draft),
    remove: (ctx, asked) => removeReason(ctx, asked),
    sort: (ctx, asked) => sortReasons(ctx, asked),
  }),
  ...implement(receiverApi, { list: (ctx, query) => listReceivers(ctx, query), batch: (ctx, asked) => setReceivers(ctx, asked) }),
  ...implement(visitorSettingApi, { read: ctx => readOwnSetting(ctx), write: (ctx, asked) => writeVisitorSetting(ctx, asked), rotate: ctx => rotateLink(ctx) }),
  ...implement(visitPublicApi, { look: { outside: (pre, params) => lookVisit(pre, params) }, act: { outside: (pre, body) => actVisit(pre, body) } }),
]
