import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { issueSecrets } from '@campus/devices/server'
import type { DevicesViews } from '@campus/devices/server'
import type { Kysely } from 'kysely'
import type { Running } from '../boot.ts'
import { demo_schools } from './accounts.ts'

const program = join(import.meta.dirname, '../../terminal/main.ts')
/** Passes of the whole school in a minute. */
const pulse = 30
/** Boards and screens that are played beside the doors. */
const [boards, screens] = [12, 3] as const
const box_model = 'JD-A6'
/** The box whose licence for one kind has run out, and the kind: its rules of that kind are refused. */
const poor_box = { nth: 2, without: '7' } as const
const algorithms = ['1', '2', '3', '4', '5', '6', '7', '8'] as const
/** Among our own terminals one has a wrong clock whose battery is empty, and at one somebody has entered two people (chapter 30 §8). */
const odd_terminals: Readonly<Record<number, { clock_offset_s: number; clock_fault: string } | { local_persons: string[] }>> = { 1: { clock_offset_s: 137, clock_fault: '时钟电池电压低，时间未能保存' }, 2: { local_persons: ['LOCAL-1', 'LOCAL-2'] } }
/** Of so many cameras one has no line and one is broken. */
const dark_share = 41
/** Consoles take ten ports, the screens of the same terminals the next ten. */
const screens_after = 10

/**
 * Starts the demo school's gates, the doors of its dormitories and some boards: virtual terminals of both protocols in a process of their own, which goes when this one goes. Their secrets are new at every start and go
 * to that process alone.
 */
export async function startDemoTerminals({ app, http, database }: Running, url: string): Promise<void> {
  const { config } = app
  const terminals = await database.tenant(demo_schools.main, async (db: Kysely<DevicesViews>) => {
    const devices = await db.selectFrom('device_live_v').select(['device_id', 'device_sn', 'model_code']).where('school_id', '=', demo_schools.main).where('model_code', 'in', ['VF105', 'JD-F10']).orderBy('model_code', 'desc').orderBy('device_sn').limit(config.CAMPUS_DEMO_TERMINALS).execute()
    const showing = (model_code: string, limit: number) => db.selectFrom('device_live_v').select(['device_id', 'device_sn', 'model_code']).where('school_id', '=', demo_schools.main).where('model_code', '=', model_code).orderBy('device_sn').limit(limit).execute()
    devices.push(...(await showing('JD-B32', boards)), ...(await showing('JD-S43', screens)))
    const secrets = await issueSecrets(db, demo_schools.main, devices)
    const models = new Map(devices.map(one => [one.device_sn, one.model_code]))
    const vf105 = new Set(devices.filter(one => one.model_code === 'VF105').map(one => one.device_sn))
    const own = secrets.filter(one => models.get(one.sn) === 'JD-F10')
    return [...secrets.map(one => ({ ...one, driver: vf105.has(one.sn) ? 'vf105' : 'jdev', model: models.get(one.sn), ...odd_terminals[own.indexOf(one)] })), ...(await gateways(db))]
  })
  const first = config.CAMPUS_DEMO_CONSOLE_PORT
  const pages = first === 0 ? [] : ['--console', String(first), '--ui', String(first + screens_after)]
  const child = spawn(process.execPath, [program, ...pages], { stdio: ['pipe', 'ignore', 'inherit'] })
  child.on('error', error => app.log.warn({ err: error }, 'the virtual terminals did not start'))
  const folder = config.CAMPUS_DATA_DIR === 'memory://' ? null : join(config.CAMPUS_DATA_DIR, 'terminals')
  child.stdin.write(`${JSON.stringify({ url, prefix: config.CAMPUS_MQTT_TOPIC_PREFIX || 'jdev', http: originOf(http.server.address()), folder, pulse, sees: { a_day: config.CAMPUS_DEMO_SCENES, seed: String(demo_schools.main) }, terminals })}\n`)
}

/** Recorders and boxes with the cameras below them; a few cameras are broken or without a line, always the same ones. */
async function gateways(db: Kysely<DevicesViews>) {
  const school_id = demo_schools.main
  const devices = await db.selectFrom('device_live_v').select(['device_id', 'device_sn', 'model_code']).where('school_id', '=', school_id).where('model_code', 'in', ['NVR-32', box_model, 'JD-V8']).orderBy('device_sn').execute()
  const below = await db.selectFrom('device_live_v').select(['device_sn', 'parent_device_id']).where('school_id', '=', school_id).where('parent_device_id', 'is not', null).orderBy('device_sn').execute()
  const secrets = await issueSecrets(db, school_id, devices)
  const boxes = devices.filter(one => one.model_code === box_model)
  return devices.map(({ device_id, device_sn, model_code }) => ({
    sn: device_sn, secret: secrets.find(one => one.sn === device_sn)?.secret ?? '', driver: 'jdev', model: model_code,
    children: below.filter(one => one.parent_device_id === device_id).map(one => ({ sn: one.device_sn, state: childState(one.device_sn) })),
    ...(boxes[poor_box.nth]?.device_id === device_id ? { algorithms: algorithms.filter(kind => kind !== poor_box.without) } : {}),
  }))
}

function childState(sn: string): 'online' | 'offline' | 'fault' {
  const nth = Number(/\d+$/u.exec(sn)?.[0] ?? 0) % dark_share
  return nth === dark_share - 1 ? 'offline' : nth === dark_share - 2 ? 'fault' : 'online'
}

function originOf(address: string | AddressInfo | null): string {
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''
}
