import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { miniErrors } from '@campus/identity/contract'
import { serviceSwitches } from '@campus/school/server'
import { fail } from '@kit/contract'
import type { App, Boot } from '@kit/server/http'
import { z } from 'zod'
import type { IdentityCtx } from './db.ts'

const token_ms = 10 * 60_000
const algorithm = 'aes-256-gcm'
const iv_bytes = 12
const tag_bytes = 16

const HelpHolder = z.object({ school_id: z.number().int(), user_id: z.string(), expire_at: z.number() })

/**
 * Where the AI help is for the caller: the product's own pages, or a page of ours that frames the school's provider. `userId` is a token of ten
 * minutes that tells the provider nothing.
 * @throws Refusal 409 aiHelpOff
 */
export async function openHelp({ app, db, me, now }: IdentityCtx): Promise<{ url: string; is_partner: boolean }> {
  const school = await serviceSwitches(db, me.school_id)
  if (school?.open_ai_help !== 1) throw fail(miniErrors.aiHelpOff)
  const userId = sealHolder(app, { school_id: me.school_id, user_id: me.user_id, expire_at: now.getTime() + token_ms })
  const is_partner = isAddress(school.ai_help_url)
  return { url: `${is_partner ? '/help/frame' : '/help/'}?userId=${userId}`, is_partner }
}

/** The provider's page for the holder of a help token, for the page that frames it; null when the token is none, or the help was switched off. */
export async function helpTarget({ app, database }: Boot, userId: string): Promise<URL | null> {
  const holder = openHolder(app, userId)
  if (!holder || holder.expire_at < app.clock.now().getTime()) return null
  const school = await database.tenant<unknown, Awaited<ReturnType<typeof serviceSwitches>>>(holder.school_id, db => serviceSwitches(db, holder.school_id))
  if (school?.open_ai_help !== 1 || !isAddress(school.ai_help_url)) return null
  const target = new URL(school.ai_help_url)
  target.searchParams.set('userId', userId)
  return target
}

function isAddress(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && /^https?:\/\//.test(text) && URL.canParse(text)
}

function sealHolder(app: App, holder: z.output<typeof HelpHolder>): string {
  const iv = randomBytes(iv_bytes)
  const cipher = createCipheriv(algorithm, keyOf(app), iv)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(holder)), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

function openHolder(app: App, userId: string): z.output<typeof HelpHolder> | null {
  const bytes = Buffer.from(userId, 'base64url')
  const [iv, tag, sealed] = [bytes.subarray(0, iv_bytes), bytes.subarray(iv_bytes, iv_bytes + tag_bytes), bytes.subarray(iv_bytes + tag_bytes)]
  try {
    const opener = createDecipheriv(algorithm, keyOf(app), iv).setAuthTag(tag)
    return HelpHolder.parse(JSON.parse(Buffer.concat([opener.update(sealed), opener.final()]).toString()))
  } catch {
    return null
  }
}

function keyOf(app: App): Buffer {
  return Buffer.from(hkdfSync('sha256', app.secrets.token_key, '', 'ai_help', 32))
}
