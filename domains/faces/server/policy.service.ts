import { facesErrors } from '@campus/faces/contract'
import type { facePolicyApi } from '@campus/faces/contract'
import { schoolDay } from '@campus/school/server'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { reopenConsents } from './consent.core.ts'
import { actOf } from './db.ts'
import type { FacesCtx } from './db.ts'
import { detectorPort } from './detector/detector.ts'
import { eraseAll } from './erase.ts'
import { readPolicy } from './policy.ts'
import type { Policy } from './policy.ts'

/** An assessment holds for three years (chapter 40 rule 21). */
const assessment_years = 3
const stopped = 7

/** The policy with what stands beside it on the page. */
export async function shownPolicy({ app, db, school_id }: FacesCtx): Promise<Reply<typeof facePolicyApi.read>> {
  const faces = await db.selectFrom('face').select(({ fn }) => fn.countAll<string>().as('n')).where('school_id', '=', school_id).where('ended_at', 'is', null).executeTakeFirstOrThrow()
  const pushed = await db.selectFrom('face_credential').select(({ fn }) => fn.countAll<string>().as('n')).where('school_id', '=', school_id).executeTakeFirstOrThrow()
  return { ...(await readPolicy(db, school_id)), material: false, detector: detectorPort.one(app).state(), counts: { faces: Number(faces.n), pushed: Number(pushed.n) } }
}

/**
 * Saves the policy; another text is another version of the protocol. Switching faces off erases all of them.
 * @throws Refusal stale, notReady, assessmentOld
 */
export async function writePolicy(ctx: FacesCtx, { row_version, material, ...asked }: Input<typeof facePolicyApi.write>): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const before = await readPolicy(db, school_id)
  if (before.row_version !== row_version) throw fail(facesErrors.stale)
  if (asked.enabled) requireReady(asked, now)
  const is_new_text = asked.protocol_text !== before.protocol_text || asked.protocol_title !== before.protocol_title
  const protocol_version = before.protocol_version + (is_new_text ? 1 : 0)
  const kept = { ...asked, protocol_version, row_version: row_version + 1 }
  await db.insertInto('face_policy').values({ school_id, ...kept }).onConflict(clash => clash.column('school_id').doUpdateSet(kept)).execute()
  if (is_new_text && material) await reopenConsents(actOf(ctx), protocol_version)
  if (before.enabled && !asked.enabled) await eraseAll(actOf(ctx), stopped)
  const { protocol_text: _before, ...was } = before
  const { protocol_text: _after, ...is } = kept
  ctx.note({ target_kind: 'faces.policy', target_name: '人脸设置', before: was, after: is })
  return {}
}

function requireReady({ protocol_title, protocol_text, assessed_on }: Pick<Policy, 'protocol_title' | 'protocol_text' | 'assessed_on'>, now: Date): void {
  const field = protocol_title === '' ? 'protocol_title' : protocol_text === '' ? 'protocol_text' : assessed_on === null ? 'assessed_on' : null
  if (field !== null || assessed_on === null) throw fail(facesErrors.notReady, { errors: [{ field: field ?? 'assessed_on', msg: facesErrors.notReady.msg }] })
  const today = schoolDay(now)
  const oldest = `${Number(today.slice(0, 4)) - assessment_years}${today.slice(4)}`
  if (assessed_on < oldest) throw fail(facesErrors.assessmentOld, { errors: [{ field: 'assessed_on', msg: facesErrors.assessmentOld.msg }] })
}
