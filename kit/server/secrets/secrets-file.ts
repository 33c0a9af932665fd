import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError } from '../config/config-error.ts'
import type { SecretName } from './secret-name.ts'

/** A file of secrets: each name with its key; behind `<name>_former` the keys it has replaced, comma separated, newest first. */
const SecretsFile = z.record(z.string(), z.string())

/** @throws ConfigError that names the file when it is none of secrets */
export function readSecretsFile(file: string): Record<string, string> {
  try {
    return SecretsFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) throw new ConfigError(`${file} is damaged: put back the copy of it that was kept; a new one does not open what the old keys have sealed`)
    throw error
  }
}

/** Puts a random new key in the place of the present one; the present one is kept among the former ones if `keep`. The file is whole at every moment. */
export function replaceInFile(file: string, name: SecretName, keep: boolean): void {
  const before = readSecretsFile(file)
  const former = [before[name], before[`${name}_former`]].filter(text => text !== undefined && text !== '').join(',')
  const { [`${name}_former`]: _dropped, ...others } = before
  writeWhole(file, { ...others, [name]: randomBytes(32).toString('hex'), ...(keep ? { [`${name}_former`]: former } : {}) })
}

/** Takes the former keys of a name out of the file. */
export function forgetInFile(file: string, name: SecretName): void {
  const { [`${name}_former`]: _dropped, ...others } = readSecretsFile(file)
  writeWhole(file, others)
}

/** A new file beside it takes its place in one step: a crash leaves the one or the other. */
function writeWhole(file: string, secrets: Record<string, string>): void {
  const fresh = `${file}.new`
  const handle = openSync(fresh, 'w', 0o600)
  writeSync(handle, `${JSON.stringify(secrets, null, 2)}\n`)
  fsyncSync(handle)
  closeSync(handle)
  renameSync(fresh, file)
}
