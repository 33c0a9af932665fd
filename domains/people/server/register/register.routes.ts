import { registerApi, registerCoreApi, registerEntryApi, registerFieldApi, registerPublicApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { listEntries, passEntries, refuseEntries } from './entry.service.ts'
import { actOn, lookAt, uploadsFor } from './public.service.ts'
import { listFields, openStudents, openTeachers, readInfo, saveFields } from './register.service.ts'

export const registerRoutes = [
  ...implement(registerCoreApi, { info: (ctx, params) => readInfo(ctx, params) }),
  ...implement(registerApi, { openStudents: (ctx, draft) => openStudents(ctx, draft), openTeachers: (ctx, draft) => openTeachers(ctx, draft) }),
  ...implement(registerFieldApi, { list: (ctx, query) => listFields(ctx, query), save: (ctx, draft) => saveFields(ctx, draft) }),
  ...implement(registerPublicApi, {
    look: { outside: (pre, query) => lookAt(pre, query) },
    act: { outside: (pre, body) => actOn(pre, body) },
    upload: { outside: (pre, body) => uploadsFor(pre, body) },
  }),
  ...implement(registerEntryApi, {
    page: (ctx, query) => listEntries(ctx, query),
    pass: { before: (pre, input) => passEntries(pre, input) },
    refuse: (ctx, input) => refuseEntries(ctx, input),
  }),
]
