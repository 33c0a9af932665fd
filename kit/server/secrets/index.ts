import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config/index.ts'
import { ConfigError } from '../config/index.ts'
import { keepFormer } from './former-key.ts'
import { isPubliclyKnown } from './known.ts'
import type { SecretName, Secrets } from './secret-name.ts'
import { readSecretsFile } from './secrets-file.ts'

export { loadStores, storeOrigins } from './stores.ts'
export type { StoreKey } from './stores.ts'

export { formerKeys, markOfKey, withFormer } from './former-key.ts'
export { openText, sealText } from './seal.ts'
export { secret_names } from './secret-name.ts'
export type { SecretName, Secrets } from './secret-name.ts'
export { sealedColumn, sealedPort } from './sealed-part.ts'
export type { SealedPart, SealedRow } from './sealed-part.ts'
export { forgetInFile, replaceInFile } from './secrets-file.ts'

const SecretText = z.string().regex(/^[0-9a-f]{64}$/i)

/**
 * Reads the secrets from variables CAMPUS_SECRET_<NAME>, else from CAMPUS_SECRETS_FILE (JSON), else, outside prod and pre only,
 * from `<data_dir>/secrets.json`, which is made with random values at the first start.
 * What a key has replaced stands behind its name with `_former`: texts sealed with it still open (`withFormer`).
 * @throws ConfigError naming the secret that is missing, too short or publicly known
 */
export function loadSecrets(config: Config, env: Record<string, string | undefined>): Secrets {
  const stored = readStored(config)
  const pick = (name: SecretName) => {
    const variable = `CAMPUS_SECRET_${name.toUpperCase()}`
    const key = check(config, variable, env[variable] || stored[name])
    const former = env[`${variable}_FORMER`] || (env[variable] ? undefined : stored[`${name}_former`])
    keepFormer(key, (former ?? '').split(',').filter(text => text !== '').map(text => check(config, `${variable}_FORMER`, text)))
    return key
  }
  return {
    token_key: pick('token_key'),
    data_key: pick('data_key'),
    id_index_key: pick('id_index_key'),
    seal_key: pick('seal_key'),
    sm2_key: pick('sm2_key'),
  }
}

function readStored(config: Config): Record<string, string> {
  const file = secretsFile(config)
  if (existsSync(file)) return readSecretsFile(file)
  if (config.CAMPUS_ENV === 'prod' || config.CAMPUS_ENV === 'pre' || config.CAMPUS_DATA_DIR === 'memory://') return {}
  return makeSecretsFile(file)
}

/** Where the secrets of an installation lie when no variables hold them. */
export function secretsFile(config: Config): string {
  return config.CAMPUS_SECRETS_FILE ?? join(config.CAMPUS_DATA_DIR, 'secrets.json')
}

/** Writes a new file of random secrets, readable by its owner only. */
export function makeSecretsFile(file: string): Record<SecretName, string> {
  const fresh = () => randomBytes(32).toString('hex')
  const made = { token_key: fresh(), data_key: fresh(), id_index_key: fresh(), seal_key: fresh(), sm2_key: fresh() }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  chmodSync(file, 0o600)
  return made
}

function check({ CAMPUS_ENV }: Config, key: string, text: string | undefined): Buffer {
  if (text === undefined) throw new ConfigError(`${key}: missing; make one with "campus make-secrets" or set 64 hex digits`)
  if (!SecretText.safeParse(text).success) throw new ConfigError(`${key}: must be 64 hex digits (32 bytes)`)
  const secret = Buffer.from(text, 'hex')
  // The tests' own keys stand in the source for everybody to read, so they open the test environment alone.
  if (CAMPUS_ENV !== 'test' && isPubliclyKnown(secret)) throw new ConfigError(`${key}: is a publicly known value; make a random one with "campus make-secrets"`)
  return secret
}
