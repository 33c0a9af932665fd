import { deviceLinkApi, passEventApi } from '@campus/devices/contract'
import { implement } from './db.ts'
import { countAsked, exportPasses } from './event/pass.export.ts'
import { exportLinks } from './link/link.export.ts'

export const recordRoutes = [
  ...implement(passEventApi, { export: { before: (pre, asked) => exportPasses(pre, asked) }, count: (ctx, asked) => countAsked(ctx, asked) }),
  ...implement(deviceLinkApi, { export: { before: (pre, asked) => exportLinks(pre, asked) } }),
]
