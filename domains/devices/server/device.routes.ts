import { deviceApi } from '@campus/devices/contract'
import { implement } from './db.ts'
import { adoptDevice } from './adoption/adoption.service.ts'
import { exportDevices } from './device.export.ts'
import { listDevices, readDetail, readStatus } from './device.service.ts'
import { changeSecret, createDevice, placeDevice, replaceDevice, retireDevice, setEnabled, setPush, updateDevice } from './device.write.ts'
import { claimDevice, makeCodes, readUnclaimed } from './enrol.service.ts'
import { readModels } from './model.queries.ts'
import { placeScope } from '@campus/places/server'

export const deviceRoutes = implement(deviceApi, {
  models: async ctx => {
    await placeScope(ctx)
    return { list: await readModels(ctx.db) }
  },
  export: { before: (pre, asked) => exportDevices(pre, asked) },
  list: (ctx, asked) => listDevices(ctx, asked),
  status: (ctx, asked) => readStatus(ctx, asked),
  unclaimed: ctx => readUnclaimed(ctx),
  detail: (ctx, asked) => readDetail(ctx, asked),
  create: (ctx, draft) => createDevice(ctx, draft),
  update: (ctx, patch) => updateDevice(ctx, patch),
  place: (ctx, asked) => placeDevice(ctx, asked),
  enable: (ctx, asked) => setEnabled(ctx, asked, 'active'),
  disable: (ctx, asked) => setEnabled(ctx, asked, 'disabled'),
  retire: (ctx, asked) => retireDevice(ctx, asked),
  replace: (ctx, asked) => replaceDevice(ctx, asked),
  ispush: (ctx, asked) => setPush(ctx, asked),
  secret: (ctx, asked) => changeSecret(ctx, asked),
  enrol_code: (ctx, asked) => makeCodes(ctx, asked),
  claim: (ctx, asked) => claimDevice(ctx, asked),
  adopt: (ctx, asked) => adoptDevice(ctx, asked),
})
