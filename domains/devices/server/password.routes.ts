import { passwordApi } from '@campus/devices/contract'
import { implement } from './db.ts'
import { listPasswords, revealPassword, setPasswords } from './password/password.service.ts'

export const passwordRoutes = implement(passwordApi, {
  list: (ctx, asked) => listPasswords(ctx, asked),
  set: (ctx, asked) => setPasswords(ctx, asked),
  reveal: (ctx, asked) => revealPassword(ctx, asked),
})
