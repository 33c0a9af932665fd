import { accountApi } from '@campus/identity/contract'
import { countConcerns, listConcerns } from './account.concern.ts'
import { resetPassword } from './account.reset.ts'
import { disableAccount, enableAccount, kickAccount, readAccount, unlockAccount } from './account.service.ts'
import { orderSlips } from './account.slips.ts'
import { implement } from './db.ts'

export const accountRoutes = implement(accountApi, {
  state: { before: (pre, whom) => readAccount(pre, whom) },
  gauges: ctx => countConcerns(ctx),
  concerns: (ctx, query) => listConcerns(ctx, query),
  unlock: { before: (pre, whom) => unlockAccount(pre, whom) },
  disable: { before: (pre, whom) => disableAccount(pre, whom) },
  enable: { before: (pre, whom) => enableAccount(pre, whom) },
  kick: (ctx, whom) => kickAccount(ctx, whom),
  setSysPwd: (ctx, body) => orderSlips(ctx, body),
  reset: { outside: (pre, whom) => resetPassword(pre, whom) },
})
