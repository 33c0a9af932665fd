import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { identityErrors } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import { decryptField, generateKeyPair, keyIdOf } from '@kit/contract/sm2/server'
import type { App } from '@kit/server/http'
import type { Desk } from './db.ts'

const day_ms = 86_400_000
/** Keys change at 03:00 in Shanghai, which is 19:00 UTC. */
const change_at_ms = 19 * 3_600_000
const overlap_ms = 10 * 60_000
const key_shape = /^\d{8}-[0-9a-f]{8}$/

type Key = { key_id: string; public_key: string; private_key: string; retire_at: Date }
const opened = new WeakMap<App, Map<string, Key>>()

/** The key pair of today; made by whoever asks first, the same on every node (chapter 10 C2). */
export async function currentKey(desk: Desk): Promise<Key> {
  const key_id = keyIdAt(desk.app, desk.now)
  const known = keysOf(desk.app).get(key_id)
  if (known) return known
  const fresh = makeKey(key_id, periodStart(desk.now))
  const row = { ...fresh, private_ref: seal(desk.app, key_id, fresh.private_key), private_key: undefined }
  await desk.own(0, async db => {
    await db.deleteFrom('sm2_key').where('retire_at', '<', desk.now).execute()
    await db.insertInto('sm2_key').values(row).onConflict(oc => oc.doNothing()).execute()
  })
  const key = await findKey(desk, key_id)
  if (!key) throw new Error(`the key pair ${key_id} cannot be read back`)
  return key
}

/**
 * Opens the fields of a login or password body: each must open with a live key and be bound to this captcha (chapter 10 L1).
 * @throws Refusal 400 badCipher, whatever was wrong
 */
export async function openFields<N extends string>(desk: Desk, cap_key: string, ciphers: Record<N, string>): Promise<Record<N, string>>
export async function openFields(desk: Desk, cap_key: string, ciphers: Record<string, string>): Promise<Record<string, string>> {
  const plain: Record<string, string> = {}
  for (const [name, cipher] of Object.entries(ciphers)) {
    const key = await findKey(desk, keyIdOf(cipher) ?? '')
    const field = key ? decryptField(cipher, key.private_key) : null
    if (!field || field.k !== cap_key) throw fail(identityErrors.badCipher)
    plain[name] = field.v
  }
  return plain
}

async function findKey(desk: Desk, key_id: string): Promise<Key | null> {
  if (!key_shape.test(key_id)) return null
  const keys = keysOf(desk.app)
  const key = keys.get(key_id) ?? (await readKey(desk, key_id))
  if (!key || key.retire_at <= desk.now) return null
  if (keys.size > 3) keys.clear()
  keys.set(key_id, key)
  return key
}

async function readKey(desk: Desk, key_id: string): Promise<Key | null> {
  if (!key_id.endsWith(fingerprint(desk.app))) return null
  const row = await desk.own(0, db => db.selectFrom('sm2_key').selectAll().where('key_id', '=', key_id).executeTakeFirst())
  return row ? { ...row, private_key: unseal(desk.app, key_id, row.private_ref) } : null
}

function makeKey(key_id: string, not_before: Date) {
  return { key_id, not_before, retire_at: new Date(not_before.getTime() + day_ms + overlap_ms), ...generateKeyPair() }
}

function periodStart(now: Date): Date {
  return new Date(Math.floor((now.getTime() - change_at_ms) / day_ms) * day_ms + change_at_ms)
}

/** Day of the key and mark of the secret that seals it: another secret means other keys. */
function keyIdAt(app: App, now: Date): string {
  const day = new Date(periodStart(now).getTime() + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '')
  return `${day}-${fingerprint(app)}`
}

function fingerprint(app: App): string {
  return createHash('sha256').update(app.secrets.sm2_key).digest('hex').slice(0, 8)
}

function keysOf(app: App): Map<string, Key> {
  const keys = opened.get(app) ?? new Map<string, Key>()
  opened.set(app, keys)
  return keys
}

function seal(app: App, key_id: string, text: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', app.secrets.sm2_key, iv).setAAD(Buffer.from(key_id))
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), data]).toString('base64url')
}

function unseal(app: App, key_id: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const cipher = createDecipheriv('aes-256-gcm', app.secrets.sm2_key, bytes.subarray(0, 12)).setAAD(Buffer.from(key_id)).setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8')
}
