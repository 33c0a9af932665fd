import { usual_zones, zone_scope, ZoneValue } from '@campus/publishing/contract'
import type { contentApi, ZoneScope } from '@campus/publishing/contract'
import { placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PublishingCtx, Work } from '../db.ts'
import { appliesTo } from './compile.ts'
import type { BoardFact } from './compile.ts'
import { readZoneFacts } from './facts.ts'
import { markDirty } from './plan.service.ts'
import { requireBoards } from './scope.ts'

type Target = Pick<BoardFact, 'device_id' | 'dept_id' | 'grade' | 'stage'>
const nobody: Target = { device_id: '', dept_id: null, grade: null, stage: null }
const Titled = z.array(z.looseObject({ zone: z.string(), title: z.string() }))

/** The zones of all templates as they hold in a scope, with where that comes from. @throws Refusal 404 */
export async function listZones(ctx: PublishingCtx, asked: Input<typeof contentApi.zones>): Promise<Reply<typeof contentApi.zones>> {
  const target = await requireTarget(ctx, asked)
  const settings = await readZoneFacts(ctx)
  const { rows } = await sql<{ layout: unknown }>`select layout from publishing_template where school_id = ${ctx.school_id}`.execute(ctx.db)
  const named = new Map([...usual_zones[1], ...rows.flatMap(row => Titled.parse(row.layout))].map(({ zone, title }) => [zone, title]))
  const list = [...named].map(([zone, title]) => {
    const [best] = settings
      .filter(one => one.zone === zone && one.scope <= asked.scope && appliesTo(one, target))
      .toSorted((a, b) => b.scope - a.scope)
    const from = best === undefined ? null : String(best.scope)
    return ZoneValue.parse({ zone, title, module: best?.module ?? null, from, is_own: best?.scope === asked.scope })
  })
  return { list }
}

/** Says what a zone shows in a scope, or gives it back to what is wider; boards follow. @throws Refusal 404 */
export async function saveZone(
  ctx: PublishingCtx,
  { scope, scope_id, zone, module }: Input<typeof contentApi.saveZone>,
): Promise<Record<string, never>> {
  const { db, school_id, now, me } = ctx
  const target = await requireTarget(ctx, { scope, ...(scope_id === undefined ? {} : { scope_id }) })
  const key = { school_id, scope, scope_id: scope_id ?? '', zone }
  if (module === null)
    await db
      .deleteFrom('publishing_zone_setting')
      .where('school_id', '=', school_id)
      .where('scope', '=', scope)
      .where('scope_id', '=', key.scope_id)
      .where('zone', '=', zone)
      .execute()
  else {
    const said = { module, updated_at: now, updated_by: me.user_id }
    await db
      .insertInto('publishing_zone_setting')
      .values({ ...key, ...said })
      .onConflict(clash => clash.columns(['school_id', 'scope', 'scope_id', 'zone']).doUpdateSet(said))
      .execute()
  }
  await markDirty(ctx, scope === zone_scope.board ? [target.device_id] : null, '区域设置')
  ctx.note({ target_kind: 'publishing.content', target_id: key.scope_id, target_name: zone, after: { scope, module } })
  return {}
}

/** Whom a scope means. What is wider than one board is for who looks after all places. @throws Refusal 404, 403 */
async function requireTarget(ctx: PublishingCtx, { scope, scope_id = '' }: ZoneScope): Promise<Target> {
  if (scope === zone_scope.board) {
    const [board] = await requireBoards(ctx, [scope_id])
    return board ?? nobody
  }
  if ((await placeScope(ctx)) !== 'all') throw fail(commonErrors.forbidden)
  if (scope === zone_scope.school) return nobody
  const found = await findDept(ctx, scope, scope_id)
  if (!found) throw fail(commonErrors.notFound)
  return { ...nobody, ...found }
}

type Dept = Pick<Target, 'dept_id' | 'grade' | 'stage'>

async function findDept({ db, school_id }: Pick<Work, 'db' | 'school_id'>, scope: number, scope_id: string): Promise<Dept | undefined> {
  const classes = db.selectFrom('dept_now').where('school_id', '=', school_id).limit(1)
  if (scope === zone_scope.dept)
    return classes.select(['id as dept_id', 'grade', 'stage']).where('id', '=', scope_id).executeTakeFirst()
  const of = scope === zone_scope.stage ? 'stage' : 'grade'
  const found = await classes.select(['grade', 'stage']).where(of, '=', scope_id).executeTakeFirst()
  return found && { dept_id: null, grade: scope === zone_scope.grade ? found.grade : null, stage: found.stage }
}
