import { join } from 'node:path'
import { devicesErrors, devicesEvents, devicesRoutes, deviceStatesChannel } from '@campus/devices/contract'
import { placeUsePort } from '@campus/places/server'
import type { DomainServer } from '@kit/server/http'
import { clientKindPort } from '@kit/server/mqtt'
import { serveChannel } from '@kit/server/realtime'
import { deviceRoutes } from './device.routes.ts'
import { deviceKind } from './link/kind.ts'
import { keepLines } from './link/keep.ts'
import { Sessions, sessionsPort } from './link/sessions.ts'
import { installModels } from './model.queries.ts'
import { devicesIn } from './place.use.ts'
import { seenStates } from './state.channel.ts'

export { createDevices } from './device.create.ts'
export type { PlannedDevice } from './device.create.ts'
export type { DevicesViews } from './tables.gen.ts'

export const devicesServer: DomainServer = {
  name: 'devices',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: deviceRoutes,
  facts: devicesRoutes,
  events: Object.values(devicesEvents),
  channels: [serveChannel(deviceStatesChannel, { visible: seenStates })],
  constraints: { device_sn_once: devicesErrors.deviceSnTaken, device_name_once: devicesErrors.deviceNameTaken, device_client_pkey: devicesErrors.deviceClientConflict },
  install: db => installModels(db.withTables()),
  compose(boot) {
    const sessions = new Sessions(boot)
    sessionsPort.fill(boot.app, sessions)
    clientKindPort.fill(boot.app, deviceKind(sessions))
    placeUsePort.fill(boot.app, devicesIn)
  },
  start: boot => keepLines(boot),
}
