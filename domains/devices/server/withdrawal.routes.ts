import { withdrawalApi } from '@campus/devices/contract'
import { implement } from './db.ts'
import { readWithdrawals } from './state/withdrawal.service.ts'

export const withdrawalRoutes = implement(withdrawalApi, { read: ctx => readWithdrawals(ctx) })
