import { insightErrors, insightEvents, LayoutItem } from '@campus/insight/contract'
import type { dashboardApi, DashboardLayout, PublishedLayout } from '@campus/insight/contract'
import { dropPref, findPref, savePref } from '@campus/school/server'
import type { PrefOwner } from '@campus/school/server'
import { fail, isLayout } from '@kit/contract'
import type { CardFact, Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { cardPort } from '@kit/server/http'
import { z } from 'zod'
import { addLayout, endLayout, findRole, listLayouts, listRoles } from './dashboard.queries.ts'
import type { InsightCtx } from './db.ts'
import { schoolType } from './roll.queries.ts'

type Layouts = Awaited<ReturnType<typeof listLayouts>>
type Items = DashboardLayout['items']

const own_board = 3
const for_school = 1
const for_role = 2
const Kept = z.object({ items: z.array(LayoutItem) })

/** Codes of the cards that the identity may use in its kind of school. */
export async function readCards(ctx: InsightCtx): Promise<{ codes: string[] }> {
  return { codes: (await offered(ctx)).map(({ code }) => code) }
}

/** What stands on a board for the identity: its own, else its role's, else the school's. Cards that it may not use are left out. */
export async function readLayout(ctx: InsightCtx, route: number): Promise<DashboardLayout> {
  const codes = new Set((await offered(ctx)).map(({ code }) => code))
  const mine = (items: Items) => items.filter(({ code }) => codes.has(code))
  const layouts = await listLayouts(ctx.db, ctx.school_id, route)
  const behind = layouts.find(({ target, target_id }) => target === for_role && target_id === ctx.me.role_id) ?? layouts.find(({ target }) => target === for_school)
  const published = behind ? { target: targetOf(behind), by: behind.created_by_name, at: behind.valid_from.toISOString() } : null
  const own = route === own_board ? Kept.safeParse(await findPref(ctx.db, ownerOf(ctx))) : undefined
  if (own?.success) return { source: 'own', items: mine(own.data.items), published }
  if (!behind) return { source: 'usual', items: [], published }
  return { source: behind.target === for_role ? 'role' : 'school', items: mine(itemsOf(behind)), published }
}

/**
 * Keeps the person's own arrangement.
 * @throws Refusal 404 a card that is unknown or not the identity's, 422 cards that overlap or lie outside
 */
export async function saveLayout(ctx: InsightCtx, { route, items }: Input<typeof dashboardApi.save>): Promise<DashboardLayout> {
  refuseWrong(await offered(ctx), items)
  await savePref(ctx.db, ownerOf(ctx), { items }, ctx.now)
  return readLayout(ctx, route)
}

/** Forgets the person's own arrangement; what is published, or the usual order, stands again. */
export async function resetLayout(ctx: InsightCtx, route: number): Promise<DashboardLayout> {
  await dropPref(ctx.db, ownerOf(ctx))
  return readLayout(ctx, route)
}

/** What is published on a board, and for whom it may be. */
export async function readPublished(ctx: InsightCtx, route: number): Promise<Reply<typeof dashboardApi.published>> {
  return { list: (await listLayouts(ctx.db, ctx.school_id, route)).map(publishedOf), roles: await listRoles(ctx.db, ctx.school_id) }
}

/**
 * Gives a layout to a role or to the whole school; whoever has arranged his own keeps it.
 * @throws Refusal 404 an unknown card or role, 409 somebody else does so at once, 422 cards that overlap or lie outside
 */
export async function publishLayout(ctx: InsightCtx, { route, target, target_id, items }: Input<typeof dashboardApi.publish>): Promise<PublishedLayout> {
  const { db, school_id, now, me } = ctx
  refuseWrong(cardPort.all(ctx.app), items)
  const role = target === for_role ? await findRole(db, school_id, target_id ?? '0') : null
  if (role === undefined) throw fail(insightErrors.roleMissing)
  const to = { route, target, target_id: role?.role_id ?? null }
  await endLayout(db, school_id, to, now)
  const layout_id = await addLayout(db, { school_id, ...to, items: JSON.stringify(items), valid_from: now, created_by: me.user_id, created_by_name: me.user_name })
  ctx.note({ target_kind: 'dashboard_layout', target_id: layout_id, target_name: role?.name ?? '全校', after: { cards: items.map(({ code }) => code) } })
  await publish(ctx, insightEvents.layoutPublished, { layout_id, ...to })
  return { layout_id, target, target_id: to.target_id, target_name: role?.name ?? '全校', cards: items.length, by: me.user_name, at: now.toISOString() }
}

/** Takes a published layout back. @throws Refusal 404 when it does not stand any more */
export async function withdrawLayout(ctx: InsightCtx, layout_id: string): Promise<Record<string, never>> {
  for (const route of [2, own_board]) {
    const found = (await listLayouts(ctx.db, ctx.school_id, route)).find(layout => layout.layout_id === layout_id)
    if (!found) continue
    const { target, target_id } = found
    await endLayout(ctx.db, ctx.school_id, { route, target, target_id }, ctx.now)
    ctx.note({ target_kind: 'dashboard_layout', target_id: layout_id, target_name: publishedOf(found).target_name })
    await publish(ctx, insightEvents.layoutPublished, { layout_id, route, target, target_id })
    return {}
  }
  throw fail(insightErrors.layoutGone)
}

async function offered(ctx: InsightCtx): Promise<CardFact[]> {
  const school_type = await schoolType(ctx.db, ctx.school_id)
  return cardPort.all(ctx.app).filter(({ need, school_types }) => need.every(code => ctx.me.codes.has(code)) && school_types.some(type => type === school_type))
}

function refuseWrong(known: readonly CardFact[], items: Items): void {
  const facts = new Map(known.map(fact => [fact.code, fact]))
  if (items.some(({ code }) => !facts.has(code))) throw fail(insightErrors.cardUnknown)
  if (!isLayout(items, code => facts.get(code)?.least ?? [1, 1])) throw fail(insightErrors.layoutOverlap)
}

function publishedOf(layout: Layouts[number]): PublishedLayout {
  const { layout_id, target_id, role_name, created_by_name, valid_from } = layout
  return { layout_id, target: targetOf(layout), target_id, target_name: target_id === null ? '全校' : (role_name ?? '已删除的角色'), cards: itemsOf(layout).length, by: created_by_name, at: valid_from.toISOString() }
}

function targetOf({ target }: Pick<Layouts[number], 'target'>): 1 | 2 {
  return target === for_role ? for_role : for_school
}

function itemsOf({ items }: Pick<Layouts[number], 'items'>): Items {
  return z.array(LayoutItem).parse(items)
}

function ownerOf({ school_id, me }: InsightCtx): PrefOwner {
  return { school_id, user_id: me.user_id, pref_key: 'cus_dashboard' }
}
