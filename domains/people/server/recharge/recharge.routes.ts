import { rechargeApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { approveRecharge, readRecharge, saveRecharge } from './recharge.service.ts'

export const rechargeRoutes = implement(rechargeApi, {
  config: ctx => readRecharge(ctx),
  save: (ctx, draft) => saveRecharge(ctx, draft),
  approve: (ctx, asked) => approveRecharge(ctx, asked),
})
