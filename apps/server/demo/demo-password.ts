import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@kit/server/config'
import { z } from 'zod'
import { randomPassword } from '../cli/random-password.ts'

const Stored = z.object({ password: z.string() })

/** Tests sign in with a password they know; no other environment ever has it. */
const test_password = 'Demo@Pass26'

/** The password of the demo accounts; made at the first start and kept in `<data_dir>/demo.json`, readable by its owner only. */
export function demoPassword(config: Config): string {
  const stored = storedPassword(config)
  if (stored !== null) return stored
  const password = randomPassword()
  mkdirSync(config.CAMPUS_DATA_DIR, { recursive: true })
  writeFileSync(fileOf(config), `${JSON.stringify({ password })}\n`, { mode: 0o600, flag: 'wx' })
  return password
}

/** The password if one was made here, else null. */
export function storedPassword(config: Config): string | null {
  if (config.CAMPUS_ENV === 'test') return test_password
  const file = fileOf(config)
  return existsSync(file) ? Stored.parse(JSON.parse(readFileSync(file, 'utf8'))).password : null
}

function fileOf(config: Config): string {
  return join(config.CAMPUS_DATA_DIR, 'demo.json')
}
