import { preferenceApi } from '@campus/school/contract'
import { implement } from './db.ts'
import { listPreferences, readPreference, savePreference } from './preference.service.ts'

export const preferenceRoutes = implement(preferenceApi, {
  read: (ctx, input) => readPreference(ctx, input.pref_key),
  list: (ctx, { kind }) => listPreferences(ctx, kind),
  save: (ctx, input) => savePreference(ctx, input.pref_key, input.value),
})
