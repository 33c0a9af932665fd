import { accessErrors } from '@campus/access/contract'
import type { visitApi } from '@campus/access/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import { sql } from 'kysely'
import { asTables } from '@kit/server/db'
import type { PassCtx, PassDb } from '../pass/db.ts'
import { hashOf, tokenHash } from './seal.ts'
import { readVisits, visitsSeen } from './visit.queries.ts'

const [most_wrong, locked_ms] = [5, 600_000] as const

/**
 * Whose code or QR is shown at the gate. Five wrong ones within ten minutes lock it for everybody who asks here, the right one too (chapter 35 R47).
 * @throws Refusal codeLocked, codeWrong
 */
export async function scanVisit(pre: Pre, { code }: Input<typeof visitApi.scan>) {
  const school_id = pre.me?.school_id ?? 0
  const subject = hashOf(pre.app, school_id, 'hit', `scan:${pre.me?.user_id ?? ''}`)
  const wrong = await pre.own<unknown, number>(school_id, async bare => {
    const found = await asTables<PassDb>(bare).selectFrom('visitor_hit').select(['hits', 'made_at']).where('school_id', '=', school_id).where('subject', '=', subject).where('span', '=', 'scan').executeTakeFirst()
    return found && pre.now.getTime() - found.made_at.getTime() < locked_ms ? found.hits : 0
  })
  if (wrong >= most_wrong) throw fail(accessErrors.codeLocked, { retry_after: locked_ms / 1000 })
  const known = await pre.own<unknown, string | null>(school_id, bare => findCode(pre, asTables<PassDb>(bare), school_id, code))
  if (known === null) {
    const kept = { hits: wrong + 1, made_at: pre.now }
    await pre.own<unknown, unknown>(school_id, bare => asTables<PassDb>(bare).insertInto('visitor_hit').values({ school_id, subject, span: 'scan', ...kept }).onConflict(clash => clash.columns(['school_id', 'subject', 'span']).doUpdateSet(kept)).execute())
    throw fail(accessErrors.codeWrong)
  }
  return async (ctx: PassCtx): Promise<Reply<typeof visitApi.scan>> => {
    const [visit] = await readVisits(ctx, sql`a.apply_id = ${known} and ${await visitsSeen(ctx)}`, { limit: 1 })
    if (!visit) throw fail(accessErrors.codeWrong)
    ctx.note({ target_kind: 'access.visit', target_id: visit.apply_id, target_name: `${visit.visitor_name} ${visit.apply_no}` })
    return { visit }
  }
}

/** A live visit by its code of eight digits, its QR or its number. */
async function findCode({ app }: Pick<Pre, 'app'>, db: PassCtx['db'], school_id: number, code: string): Promise<string | null> {
  const found = await db.selectFrom('visitor_apply').select('apply_id').where('school_id', '=', school_id).where('state', 'in', [0, 1, 4])
    .where(sql<boolean>`(pass_code_hash = ${hashOf(app, school_id, 'pass_code', code)} or qr_hash = ${tokenHash(code)} or apply_no = ${code.toUpperCase()})`).limit(1).executeTakeFirst()
  return found?.apply_id ?? null
}
