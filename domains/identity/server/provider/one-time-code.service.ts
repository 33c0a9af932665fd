import { randomBytes } from 'node:crypto'
import { identityErrors } from '@campus/identity/contract'
import type { providerLoginApi } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import { requireTakeover } from '../account.takeover.ts'
import type { Desk, IdentityHandle } from '../db.ts'
import { hashToken } from '../ticket.queries.ts'
import { usableLine } from './provider-start.service.ts'

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const length = 32
const shape = /^[A-Z2-7]{32}$/
const key = { shape: 'D', adapter: 'one_time_code' } as const

/** Whether a code is one of ours: 32 signs of base32. */
export function looksLikeOneTimeCode(code: string): boolean {
  return shape.test(code)
}

/**
 * A code that signs one account in to one school, once, within at most five minutes (chapter 10 §4); only its hash is stored. The caller has
 * decided who may be let in.
 * @throws Refusal 422 codeForNobody when the school has not turned it on
 */
export async function issueOneTimeCode(desk: Desk, { school_id, user_id }: { school_id: number; user_id: string }): Promise<{ code: string; address: string; expire_at: Date }> {
  const line = await desk.own(school_id, db => usableLine(desk, db, school_id, key))
  if (!line) throw fail(identityErrors.codeForNobody)
  const code = [...randomBytes(length)].map(byte => signs.charAt(byte % signs.length)).join('')
  const expire_at = new Date(desk.now.getTime() + Math.min(Number(line.settings.minutes) || 5, 5) * 60_000)
  await desk.own(0, db => db.insertInto('ticket').values({ purpose: 'one_time', user_id, school_id, ticket_hash: hashToken(code), expire_at }).execute())
  const { CAMPUS_PUBLIC_URL = '' } = desk.app.config
  return { code, expire_at, address: `${CAMPUS_PUBLIC_URL.replace(/\/$/, '')}/${school_id}?${new URLSearchParams({ code, school_id: String(school_id) })}` }
}

/**
 * A login link for somebody the caller manages. It lets in as him, and may lead him to set a new password, so the rules of resetting his
 * password hold, their rate too.
 * @throws Refusal 404, 409 severalSchools, 422 superAccount, ownAccount, higherAccount, codeForNobody, 429 resetTooOften
 */
export async function makeLoginLink(pre: Pre, { user_id }: Input<typeof providerLoginApi.oneTimeCode>): Promise<Reply<typeof providerLoginApi.oneTimeCode>> {
  const { me, target } = await requireTakeover(pre, user_id)
  const { code, address, expire_at } = await issueOneTimeCode(pre, { school_id: me.school_id, user_id })
  return { user_name: target.user_name, code, address, expire_at: expire_at.toISOString() }
}

/** Spends a code; of two parallel users only one learns whose it is. */
export async function spendOneTimeCode(pre: Pre, code: string): Promise<{ user_id: string; school_id: number } | null> {
  const desk: Desk = pre
  const spent = await desk.own(0, db => spend(db, code, desk.now))
  return spent?.school_id ? { user_id: spent.user_id, school_id: spent.school_id } : null
}

function spend(db: IdentityHandle, code: string, now: Date) {
  return db
    .updateTable('ticket')
    .set({ used_at: now })
    .where('ticket_hash', '=', hashToken(code))
    .where('purpose', '=', 'one_time')
    .where('expire_at', '>', now)
    .where('used_at', 'is', null)
    .returning(['user_id', 'school_id'])
    .executeTakeFirst()
}
