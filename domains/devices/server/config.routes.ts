import { configApi } from '@campus/devices/contract'
import { listDiffs, readConfig, writeConfig } from './config/device-config.service.ts'
import { previewConfig } from './config/impact.ts'
import { listKeys, listProfiles, listTargets } from './config/profile.service.ts'
import { addProfile, deleteProfile, updateProfile } from './config/profile.write.ts'
import { implement } from './db.ts'

export const configRoutes = implement(configApi, {
  keys: (ctx, asked) => listKeys(ctx, asked),
  list: (ctx, asked) => listProfiles(ctx, asked),
  targets: (ctx, asked) => listTargets(ctx, asked),
  preview: (ctx, draft) => previewConfig(ctx, draft),
  add: (ctx, draft) => addProfile(ctx, draft),
  update: (ctx, draft) => updateProfile(ctx, draft),
  delete: (ctx, asked) => deleteProfile(ctx, asked),
  read: (ctx, asked) => readConfig(ctx, asked),
  write: (ctx, draft) => writeConfig(ctx, draft),
  diff: (ctx, asked) => listDiffs(ctx, asked),
})
