import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brokerFiles } from '@campus/devices/server'
import { loadConfig } from '@kit/server/config'
import { openConfigured } from '../boot.ts'
import type { Environment } from './command.ts'
import { refuseUninstalled } from './installed.ts'

/** Its owner and his group read it: the broker is in that group. */
const readable = 0o640
const most_named = 10

/** Writes the files by which an outside Mosquitto lets devices in. They are touched only when something has changed; `--reload` then has the broker read them. */
export async function broker(args: string[], env: Environment): Promise<void> {
  const { values: { reload }, positionals: [what, folder] } = parseArgs({ args, options: { reload: { type: 'string' } }, allowPositionals: true })
  if (what !== 'export' || folder === undefined) throw new Error('usage: broker export <folder> [--reload <pid file of mosquitto>]')
  const config = loadConfig(env)
  const database = await openConfigured(config)
  try {
    await refuseUninstalled(database)
    const { passwords, acl, devices, left_out } = await brokerFiles(database, config)
    await mkdir(folder, { recursive: true })
    const changed = [await writeChanged(join(folder, 'passwords'), passwords), await writeChanged(join(folder, 'acl'), acl)].includes(true)
    if (changed && reload !== undefined) process.kill(Number(await readFile(reload, 'utf8')), 'SIGHUP')
    process.stdout.write(`${folder}: ${devices} devices, ${changed ? (reload === undefined ? 'changed: have the broker read it again' : 'changed, read again by the broker') : 'unchanged'}\n`)
    if (left_out.length > 0) process.stdout.write(`${left_out.length} devices cannot come in: give them a new secret (更换密钥), or have them connect once to the broker of this server: ${left_out.slice(0, most_named).join(', ')}${left_out.length > most_named ? ' …' : ''}\n`)
  } finally {
    await database.close()
  }
}

/** A broker that reads at this very moment finds the whole file, the old one or the new one. */
async function writeChanged(file: string, text: string): Promise<boolean> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return false
  await writeFile(`${file}.new`, text, { mode: readable })
  await chmod(`${file}.new`, readable)
  await rename(`${file}.new`, file)
  return true
}
