import { readFile, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brokerFiles } from '@campus/devices/server'
import type { Running } from '../boot.ts'
import { prepareMosquitto } from './mosquitto.ts'
import type { Mosquitto } from './mosquitto.ts'

const sample = join(import.meta.dirname, '../../../docs/deploy/mosquitto.conf')
const files = '/etc/mosquitto/campus'
const own_password = 'p@ss of the server/1'

/** A mosquitto with the sample configuration of docs/deploy, word for word but for its port and the place of its files. @throws Error when the sample no longer has what is replaced */
export function sampleMosquitto(): Promise<Mosquitto> {
  return prepareMosquitto(({ port, folder }) => {
    const text = readFileSync(sample, 'utf8')
    if (!/^listener 1883$/m.test(text) || text.split(`${files}/`).length !== 3) throw new Error('docs/deploy/mosquitto.conf has no port or other files than are exported')
    const user = process.getuid?.() === 0 ? 'user root\n' : ''
    return user + text.replace(/^listener 1883$/m, `listener ${port} 127.0.0.1`).replaceAll(`${files}/`, `${folder}/`)
  })
}

/** The setting that sends devices to a mosquitto. */
export function outsideSetting({ port }: Mosquitto): Record<string, string> {
  return { CAMPUS_MQTT_URL: `mqtt://campus:${encodeURIComponent(own_password)}@127.0.0.1:${port}` }
}

/** What the operator does after devices were added: exports, and has the broker read it. */
export async function exportTo({ folder, reload }: Mosquitto, { running }: { running: Pick<Running, 'database'> & { app: Pick<Running['app'], 'config'> } }): Promise<void> {
  const { passwords, acl } = await brokerFiles(running.database, running.app.config)
  const before = await readFile(join(folder, 'passwords'), 'utf8').catch(() => '')
  await writeFile(join(folder, 'acl'), acl)
  await writeFile(join(folder, 'passwords'), passwords)
  if (before !== passwords) reload()
}
