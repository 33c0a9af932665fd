import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { issueSecrets } from '@campus/devices/server'
import type { DevicesViews } from '@campus/devices/server'
import type { PeopleViews } from '@campus/people/server'
import type { Kysely } from 'kysely'
import type { Running } from '../boot.ts'
import { demo_schools } from './accounts.ts'
import { planFleet } from './fleet.ts'
import { facedPupils } from './photos.ts'

const program = join(import.meta.dirname, '../../terminal/main.ts')
/** Passes of the whole school in a minute. */
const pulse = 30
/** Consoles take ten ports, the screens of the same terminals the next ten. */
const screens_after = 10

/**
 * Starts the demo school's devices that speak for themselves: virtual terminals of both protocols in a process of their own, which goes when this one goes. Their secrets are new at every start and go to that process alone.
 */
export async function startDemoTerminals({ app, http, database }: Running, url: string): Promise<void> {
  const { config } = app
  const school_id = demo_schools.main
  const terminals = await database.tenant(school_id, async (db: Kysely<DevicesViews & PeopleViews>) => {
    const devices = await db.selectFrom('device_live_v').select(['device_id', 'device_sn', 'model_code', 'parent_device_id']).where('school_id', '=', school_id).orderBy('device_sn').execute()
    const played = planFleet(devices, { doors: config.CAMPUS_DEMO_TERMINALS, faced: await facedPupils(db, school_id) })
    const secrets = new Map((await issueSecrets(db, school_id, played.map(({ sn, device_id }) => ({ device_sn: sn, device_id })))).map(one => [one.sn, one.secret]))
    return played.map(({ device_id: _device_id, ...one }) => ({ ...one, secret: secrets.get(one.sn) ?? '' }))
  })
  const first = config.CAMPUS_DEMO_CONSOLE_PORT
  const pages = first === 0 ? [] : ['--console', String(first), '--ui', String(first + screens_after)]
  const child = spawn(process.execPath, [program, ...pages], { stdio: ['pipe', 'ignore', 'inherit'] })
  child.on('error', error => app.log.warn({ err: error }, 'the virtual terminals did not start'))
  const folder = config.CAMPUS_DATA_DIR === 'memory://' ? null : join(config.CAMPUS_DATA_DIR, 'terminals')
  child.stdin.write(`${JSON.stringify({ url, prefix: config.CAMPUS_MQTT_TOPIC_PREFIX || 'jdev', http: originOf(http.server.address()), folder, pulse, sees: { a_day: config.CAMPUS_DEMO_SCENES, seed: String(demo_schools.main) }, terminals })}\n`)
}

function originOf(address: string | AddressInfo | null): string {
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''
}
