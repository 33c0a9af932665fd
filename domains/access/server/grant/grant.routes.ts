import { deptRuleApi, devPlaceApi, explainApi, myPickupApi, pickupApi, pickupModeApi } from '@campus/access/contract'
import { pickupPersonApi, pickupPersonList, userRuleApi } from '@campus/access/contract'
import { exportHandler } from '@kit/server/export'
import { implement } from '../db.ts'
import type { AccessCtx } from '../db.ts'
import { answerMine, confirmPersons, listMine, listPersons, prepareAdd, stopPersons } from '../pickup/person.service.ts'
import { addDeptRules, endDeptRules, listDeptRules, updateDeptRule } from './dept-rule.service.ts'
import { explain } from './explain.ts'
import { listDoorPlaces } from './place.ts'
import { listPickups, releaseByHand } from '../pickup/pickup.service.ts'
import { readModes, writeModes } from './pickup.service.ts'
import { addUserRules, endUserRules, listUserRules, updateUserRule } from './user-rule.service.ts'

const [entering, leaving] = [1, 2] as const

export const grantRoutes = [
  ...implement(deptRuleApi, {
    list: (ctx, asked) => listDeptRules(ctx, asked),
    add: (ctx, draft) => addDeptRules(ctx, draft),
    update: (ctx, patch) => updateDeptRule(ctx, patch),
    end: (ctx, asked) => endDeptRules(ctx, asked),
  }),
  ...implement(userRuleApi, {
    list: (ctx, asked) => listUserRules(ctx, asked),
    add: (ctx, draft) => addUserRules(ctx, draft),
    update: (ctx, patch) => updateUserRule(ctx, patch),
    end: (ctx, asked) => endUserRules(ctx, asked),
  }),
  ...implement(devPlaceApi, { in: ctx => listDoorPlaces(ctx, entering), out: ctx => listDoorPlaces(ctx, leaving) }),
  ...implement(pickupModeApi, { read: ctx => readModes(ctx), write: (ctx, asked) => writeModes(ctx, asked) }),
  ...implement(pickupApi, { list: (ctx, asked) => listPickups(ctx, asked), release: (ctx, asked) => releaseByHand(ctx, asked) }),
  ...implement(pickupPersonApi, {
    list: (ctx, asked) => listPersons(ctx, asked),
    export: exportHandler(pickupPersonApi.export, pickupPersonList, (ctx: AccessCtx, query) => listPersons(ctx, query)),
    add: { before: (pre, draft) => prepareAdd(pre, draft) },
    confirm: (ctx, asked) => confirmPersons(ctx, asked),
    stop: (ctx, asked) => stopPersons(ctx, asked),
  }),
  ...implement(myPickupApi, { list: ctx => listMine(ctx), answer: (ctx, asked) => answerMine(ctx, asked) }),
  ...implement(explainApi, { read: (ctx, asked) => explain(ctx, asked) }),
]
