import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config/index.ts'
import { ConfigError } from '../config/index.ts'

/** The named secrets (decisions 19); each 32 bytes as 64 hex digits. Losing one costs what the operators' page says. */
export const secret_names = ['token_key', 'data_key', 'id_index_key', 'seal_key', 'sm2_key'] as const
export type SecretName = (typeof secret_names)[number]
export type Secrets = Record<SecretName, Buffer>

const SecretText = z.string().regex(/^[0-9a-f]{64}$/i)

/**
 * Reads the secrets from variables CAMPUS_SECRET_<NAME>, else from CAMPUS_SECRETS_FILE (JSON), else, outside prod and pre only,
 * from `<data_dir>/secrets.json`, which is made with random values at the first start.
 * @throws ConfigError naming the secret that is missing, too short or publicly known
 */
export function loadSecrets(config: Config, env: Record<string, string | undefined>): Secrets {
  const stored = readStored(config)
  const pick = (name: SecretName) => check(name, env[`CAMPUS_SECRET_${name.toUpperCase()}`] ?? stored[name])
  return {
    token_key: pick('token_key'),
    data_key: pick('data_key'),
    id_index_key: pick('id_index_key'),
    seal_key: pick('seal_key'),
    sm2_key: pick('sm2_key'),
  }
}

function readStored(config: Config): Record<string, string> {
  const file = config.CAMPUS_SECRETS_FILE ?? join(config.CAMPUS_DATA_DIR, 'secrets.json')
  if (existsSync(file)) return z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8')))
  if (config.CAMPUS_ENV === 'prod' || config.CAMPUS_ENV === 'pre' || config.CAMPUS_DATA_DIR === 'memory://') return {}
  return makeSecretsFile(file)
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

function check(name: SecretName, text: string | undefined): Buffer {
  const key = `CAMPUS_SECRET_${name.toUpperCase()}`
  if (text === undefined) throw new ConfigError(`${key}: missing; make one with "campus make-secrets" or set 64 hex digits`)
  if (!SecretText.safeParse(text).success) throw new ConfigError(`${key}: must be 64 hex digits (32 bytes)`)
  if (isGuessable(text)) throw new ConfigError(`${key}: is a publicly known value; make a random one with "campus make-secrets"`)
  return Buffer.from(text, 'hex')
}

/** Few distinct bytes, a counting run, or the hash of a word found in examples: not a secret. */
function isGuessable(text: string): boolean {
  const bytes = Buffer.from(text, 'hex')
  if (new Set(bytes).size < 12) return true
  if (bytes.every((b, i) => i === 0 || (b - (bytes[i - 1] ?? 0) + 256) % 256 === 1)) return true
  const words = ['', 'secret', 'changeme', 'password', '123456', 'test', 'campus', 'admin', 'your-256-bit-secret']
  return words.some(word => createHash('sha256').update(word).digest('hex') === text.toLowerCase())
}
