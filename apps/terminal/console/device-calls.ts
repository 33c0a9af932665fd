import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Dashboard, DeviceInfo } from '@kit/terminal-protocol/console'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { hoursAt } from '../jdev/passes.ts'
import type { Desk } from './desk.ts'
import { addFirmwareCall } from './firmware.ts'
import { hostVitals } from './host-vitals.ts'
import { afterwards, Refused } from './pages.ts'
import { shownOf } from './shown.ts'

const second_ms = 1000
const refused = 422
/** What a terminal of ours holds (the models of devices say the same). */
const capacity = { persons: 20_000, cards: 40_000, faces: 20_000 } as const
const records_limit = 10_000
/** What others have written of the terminal and of its pages, by the package that uses it. */
const libraries = [['../package.json', ['fastify', 'mqtt', 'zod']], ['../../terminal-console/package.json', ['react', 'react-dom', 'i18next']]] as const
const Reset = z.object({ sn: z.string().max(64) })
const Package = z.object({ version: z.string(), license: z.string() })

/** What the console tells of the terminal, and what it makes it do. */
export function addDeviceCalls(app: FastifyInstance, desk: Desk): void {
  const { terminal } = desk
  app.get('/api/dashboard', () => dashboardOf(desk))
  app.get('/api/info', () => infoOf(desk))
  app.post('/api/door/open', () => {
    terminal.openRelay()
    desk.note('warn', 'door opened at the console')
    return desk.door
  })
  app.post('/api/restart', (_request, reply) => {
    desk.note('warn', 'restart')
    afterwards(reply, () => terminal.restart())
    return {}
  })
  app.post('/api/reset', (request, reply) => {
    if (Reset.parse(request.body).sn !== terminal.sn) throw new Refused(refused, { code: 'serial_number', key: 'sn' })
    afterwards(reply, () => terminal.restart('wipe'))
    return {}
  })
  addFirmwareCall(app, desk)
}

function dashboardOf({ terminal, door }: Desk): Dashboard {
  const { store, skew_ms, now } = terminal
  const { persons, cards, faces, permissions } = store.counts
  const { cpu, mem, temp, disk, disk_total } = hostVitals()
  return {
    counts: { persons, cards, faces, permissions }, capacity, today: hoursAt(store.passes, now), records_waiting: store.waiting, broker: { online: terminal.is_connected, address: terminal.broker.url },
    clock: { now: now.toISOString(), skew_ms }, vitals: { cpu, mem, disk_free_mb: disk, disk_total_mb: disk_total, ...(temp === undefined ? {} : { temp }) }, door,
    passes: store.passes.recent.map(pass => shownOf(store, pass, true)),
  }
}

function infoOf({ terminal, clock, started_at }: Desk): DeviceInfo {
  const { disk, disk_total } = hostVitals()
  return {
    sn: terminal.sn, ...terminal.build, mac: macOf(terminal.sn), started_at: new Date(started_at).toISOString(), uptime_s: Math.floor((clock.now() - started_at) / second_ms), battery: terminal.faults.on_battery, disk_total_mb: disk_total, disk_free_mb: disk,
    capacity, records_limit, licences: licencesOf(),
  }
}

/** A virtual terminal has no network card: an address of the range that anybody may give himself, always the same for a serial number. */
function macOf(sn: string): string {
  return ['02', ...(createHash('sha256').update(sn).digest('hex').slice(0, 10).match(/../gu) ?? [])].join(':')
}

function licencesOf(): DeviceInfo['licences'] {
  return libraries.flatMap(([user, names]) => {
    const { resolve } = createRequire(new URL(user, import.meta.url))
    return names.map(name => {
      const { version, license } = Package.parse(JSON.parse(readFileSync(resolve(`${name}/package.json`), 'utf8')))
      return { name, version, licence: license }
    })
  })
}
