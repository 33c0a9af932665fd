import { existsSync } from 'node:fs'
import { handOverSealKey } from '@campus/audit/server'
import type { Config } from '@kit/server/config'
import type { Boot } from '@kit/server/http'
import { forgetInFile, formerKeys, loadSecrets, markOfKey, replaceInFile, sealedPort, secretsFile } from '@kit/server/secrets'
import type { SecretName } from '@kit/server/secrets'
import { knownSchools } from '../known-schools.ts'
import type { Environment } from '../cli/command.ts'
import { carryPart } from './carry.ts'
import { beginRotation, endRotation, markForgotten, rotationsOf } from './rotation.queries.ts'

const installation = 0
const day_ms = 86_400_000
/** Imports and commands can be taken back for thirty days, from images that hold numbers sealed with the key of their day. */
const undo_days = 31
/** Keys whose former ones still open something; a session token, a login page and a seal need none. */
const kept_names: readonly SecretName[] = ['data_key', 'id_index_key']

export type RotationDesk = Boot & { config: Config; env: Environment; now: Date; told(line: string): void }

/**
 * Exchanges one of the installation's secrets and carries over whatever it sealed. Broken off at any moment it is ended by the same command. The new
 * key stands in the secrets file from its first second, and the former one behind it.
 * @throws Error in one line when the key comes from a variable and no new one is given
 */
export async function rotateKey(desk: RotationDesk, name: SecretName): Promise<void> {
  const { database, config, env, now, told } = desk
  if (await isNew(desk, name)) exchange(desk, name)
  const secrets = loadSecrets(config, env)
  const key = secrets[name]
  const [former = desk.app.secrets[name]] = formerKeys(key)
  const from_mark = markOfKey(former)
  const rotation_no = await beginRotation(database, { key_name: name, from_mark, to_mark: markOfKey(key) }, now)
  if (name === 'seal_key') await handOverSealKey(database, { from: former, to: key, now })
  const parts = sealedPort.all(desk.app).filter(part => part.key === name)
  const schools = [installation, ...(await knownSchools(database))]
  for (const part of parts) for (const school_id of schools) await carryPart({ database, secrets, rotation_no, told }, part, school_id)
  await endRotation(database, rotation_no, now)
  if (name === 'seal_key') forgetInFile(secretsFile(config), name)
}

/** Whether no exchange of this key is under way: neither written down as begun, nor begun in the file alone. */
async function isNew({ database, app }: RotationDesk, name: SecretName): Promise<boolean> {
  const rotations = await rotationsOf(database, name)
  const to_mark = markOfKey(app.secrets[name])
  const current = rotations.find(rotation => rotation.to_mark === to_mark)
  if (current) return current.done_at !== null
  return formerKeys(app.secrets[name]).length === 0
}

function exchange({ config, env }: RotationDesk, name: SecretName): void {
  const variable = `CAMPUS_SECRET_${name.toUpperCase()}`
  if (env[variable]) throw new Error(`${variable} holds the key: put it into ${variable}_FORMER and a new one (openssl rand -hex 32) into ${variable}, then run this again`)
  const file = secretsFile(config)
  if (!existsSync(file)) throw new Error(`${file} is not there`)
  replaceInFile(file, name, kept_names.includes(name) || name === 'seal_key')
}

/**
 * Gives up the former keys of a name. @throws Error in one line while something may still need them: an unfinished exchange, or images from which
 * imports and commands are taken back (31 days), unless `at_once`
 */
export async function forgetFormer({ database, config, env, app, now }: RotationDesk, name: SecretName, at_once: boolean): Promise<void> {
  if (formerKeys(app.secrets[name]).length === 0) throw new Error(`${name} has no former key`)
  const [last] = await rotationsOf(database, name)
  if (!last?.done_at) throw new Error(`the exchange of ${name} is not finished: run "campus rotate-keys ${name}" again`)
  const from = new Date(last.done_at.getTime() + undo_days * day_ms)
  if (!at_once && now < from) throw new Error(`the former ${name} still opens what imports and commands are taken back from: run this again from ${from.toISOString().slice(0, 10)} on, or with --at-once if the key is known to others`)
  const variable = `CAMPUS_SECRET_${name.toUpperCase()}_FORMER`
  if (env[variable]) throw new Error(`${variable} holds it: take it out of the settings`)
  forgetInFile(secretsFile(config), name)
  await markForgotten(database, name, now)
}

/**
 * Refuses to work with a key that was exchanged elsewhere: what the others have written since would be unreadable here, and what is written here to them.
 * @throws Error in one line naming the key and its successor's day
 */
export async function refuseOutdated({ app, database }: Boot): Promise<void> {
  for (const name of [...kept_names, 'seal_key'] as const) {
    const mark = markOfKey(app.secrets[name])
    const rotations = await rotationsOf(database, name)
    const newer = rotations.find(rotation => rotation.from_mark === mark)
    if (newer && !rotations.some(rotation => rotation.to_mark === mark && rotation.rotation_no > newer.rotation_no)) {
      throw new Error(`${name} was exchanged on ${newer.begun_at.toISOString().slice(0, 10)}: copy the secrets file of the machine where that was done`)
    }
  }
}
