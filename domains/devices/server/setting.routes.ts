import { schoolSettingApi } from '@campus/devices/contract'
import { implement } from './db.ts'
import { previewSetting, toldSetting, updateSetting } from './setting/setting.service.ts'

export const settingRoutes = implement(schoolSettingApi, {
  read: ctx => toldSetting(ctx),
  preview: (ctx, next) => previewSetting(ctx, next),
  update: (ctx, next) => updateSetting(ctx, next),
})
