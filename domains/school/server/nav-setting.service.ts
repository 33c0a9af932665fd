import { menuGroups, schoolErrors, schoolEvents } from '@campus/school/contract'
import type { NavNodeSetting, NavPage, navSettingApi, NavTree } from '@campus/school/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { SchoolCtx } from './db.ts'
import { findNavVersion, listNavNodes, replaceNavNodes, takeNavVersion } from './nav-setting.queries.ts'
import { readNavState } from './navigation/nav-state.ts'
import { differingNodes, navTree, pagesAndGroups } from './navigation/nav-tree.ts'
import { findSchool } from './school.queries.ts'
import { subAppFacts, subAppSettings } from './sub-app.ts'

/** The whole menu of the school with what it says of it. */
export async function readNavTree(ctx: SchoolCtx): Promise<NavTree> {
  const school = await findSchool(ctx.db, ctx.school_id)
  const nav = await readNavState(ctx.db, ctx.school_id, ctx.now)
  return { nav_version: await findNavVersion(ctx.db, ctx.school_id), groups: navTree(menuGroups, [...ctx.app.facts, ...subAppFacts(await subAppSettings(ctx, ctx.db, ctx.school_id))], school?.school_type ?? 1, nav) }
}

/**
 * Names, icons, places and hiding of the whole menu at once.
 * @throws Refusal 404 a node the school does not have, 409 changed meanwhile, 422 hiding the page on which this is done
 */
export async function changeNavTree(ctx: SchoolCtx, { nav_version, nodes }: Input<typeof navSettingApi.save>): Promise<NavTree> {
  const { groups } = await readNavTree(ctx)
  const known = new Map(pagesAndGroups(groups).map(node => [node.nav_id, node]))
  const before = await listNavNodes(ctx.db, ctx.school_id)
  refuseWrong(known, nodes)
  const after = differingNodes(groups, nodes).toSorted((a, b) => a.nav_id - b.nav_id)
  if (JSON.stringify(before) === JSON.stringify(after) && nav_version === (await findNavVersion(ctx.db, ctx.school_id))) return readNavTree(ctx)
  await raiseNavVersion(ctx, nav_version)
  await replaceNavNodes(ctx.db, ctx.school_id, after)
  ctx.note({ target_kind: 'school_nav', target_id: String(ctx.school_id), before: namedNodes(known, before, after), after: namedNodes(known, after, before) })
  return readNavTree(ctx)
}

/**
 * The next version of menu and modules, told to whoever draws a menu.
 * @throws Refusal 409 when it is another one by now
 */
export async function raiseNavVersion(ctx: SchoolCtx, nav_version: number): Promise<void> {
  const next = await takeNavVersion(ctx.db, { school_id: ctx.school_id, nav_version, by: ctx.me.user_id, now: ctx.now })
  if (next === undefined) throw fail(commonErrors.stale)
  await publish(ctx, schoolEvents.navChanged, { nav_version: next })
}

function refuseWrong(known: ReadonlyMap<number, NavPage>, nodes: readonly NavNodeSetting[]): void {
  for (const { nav_id, hidden } of nodes) {
    const node = known.get(nav_id)
    if (!node) throw fail(schoolErrors.navMissing)
    if (hidden && node.fixed) throw fail(schoolErrors.navFixed)
  }
}

/** One side of the log: of the nodes that differ from the other side, by their name. */
function namedNodes(known: ReadonlyMap<number, NavPage>, side: readonly NavNodeSetting[], other: readonly NavNodeSetting[]): Record<string, unknown> {
  const had = new Set(other.map(node => JSON.stringify(node)))
  const changed = side.filter(node => !had.has(JSON.stringify(node)))
  return Object.fromEntries(changed.map(({ nav_id, ...says }) => [known.get(nav_id)?.name ?? String(nav_id), JSON.stringify(says)]))
}
