import { brokerApi } from '@campus/devices/contract'
import { mayEnter, mayUse, noteEvent } from './broker/hooks.ts'
import { implement } from './db.ts'

export const brokerRoutes = implement(brokerApi, {
  auth: { outside: (pre, asked) => mayEnter(pre, asked) },
  acl: { outside: (pre, asked) => mayUse(pre, asked) },
  event: { outside: (pre, told) => noteEvent(pre, told) },
})
