import { spawn } from 'node:child_process'
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

/**
 * Starts the demo school's gates, the doors of its dormitories and some boards: virtual terminals of both protocols in a process of their own, which goes when this one goes. Their secrets are new at every start and go
 * to that process alone.
 */
export async function startDemoTerminals({ app, database }: Running, port: number): Promise<void> {
  const { config } = app
  const terminals = await database.tenant(demo_schools.main, async (db: Kysely<DevicesViews>) => {
    const devices = await db.selectFrom('device_live_v').select(['device_id', 'device_sn', 'model_code']).where('school_id', '=', demo_schools.main).where('model_code', 'in', ['VF105', 'JD-F10']).orderBy('model_code', 'desc').orderBy('device_sn').limit(config.CAMPUS_DEMO_TERMINALS).execute()
    const showing = (model_code: string, limit: number) => db.selectFrom('device_live_v').select(['device_id', 'device_sn', 'model_code']).where('school_id', '=', demo_schools.main).where('model_code', '=', model_code).orderBy('device_sn').limit(limit).execute()
    devices.push(...(await showing('JD-B32', boards)), ...(await showing('JD-S43', screens)))
    const secrets = await issueSecrets(db, demo_schools.main, devices)
    const models = new Map(devices.map(one => [one.device_sn, one.model_code]))
    const vf105 = new Set(devices.filter(one => one.model_code === 'VF105').map(one => one.device_sn))
    return secrets.map(one => ({ ...one, driver: vf105.has(one.sn) ? 'vf105' : 'jdev', model: models.get(one.sn) }))
  })
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'inherit'] })
  child.on('error', error => app.log.warn({ err: error }, 'the virtual terminals did not start'))
  const folder = config.CAMPUS_DATA_DIR === 'memory://' ? null : join(config.CAMPUS_DATA_DIR, 'terminals')
  child.stdin.write(`${JSON.stringify({ url: `mqtt://127.0.0.1:${port}`, http: `http://127.0.0.1:${config.CAMPUS_PORT}`, prefix: config.CAMPUS_MQTT_TOPIC_PREFIX || 'jdev', folder, pulse, terminals })}\n`)
}
