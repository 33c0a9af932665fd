import { preferenceApi } from '@campus/school/contract'
import { implement } from './db.ts'
import { readPreference, savePreference } from './preference.service.ts'

export const preferenceRoutes = implement(preferenceApi, {
  read: (ctx, input) => readPreference(ctx, input.pref_key),
  save: (ctx, input) => savePreference(ctx, input.pref_key, input.value),
})
