import type { NavNodeSetting } from '@campus/school/contract'
import type { Kysely, QueryExecutorProvider } from 'kysely'
import { asTables } from '@kit/server/db'
import type { SchoolDb } from '../db.ts'
import { listModuleRows } from '../module.queries.ts'
import type { ModuleRow } from '../module.queries.ts'
import { schoolDay } from '../school-day.ts'
import { moduleOn } from './module-state.ts'

/** What a school says of its menu today: of some nodes, and which modules it may not use. */
export type NavState = { nodes: ReadonlyMap<number, NavNodeSetting>; closed: ReadonlySet<string> }

/** The menu as the product has it. */
export const plain_nav: NavState = { nodes: new Map(), closed: new Set() }

/** Read afresh for every menu and every explanation, so that a change is there with the next request on every node. */
export async function readNavState(db: QueryExecutorProvider, school_id: number, now: Date): Promise<NavState> {
  const own = asTables<SchoolDb>(db)
  return navStateOf(await listNavNodes(own, school_id), await listModuleRows(own, school_id), now)
}

/** The same from rows that were read before. */
export function navStateOf(nodes: readonly NavNodeSetting[], periods: readonly ModuleRow[], now: Date): NavState {
  const day = schoolDay(now)
  const closed = [...Map.groupBy(periods, ({ module_code }) => module_code)].filter(([, own_periods]) => moduleOn(own_periods, day).state !== 'open').map(([code]) => code)
  return { nodes: new Map(nodes.map(node => [node.nav_id, node])), closed: new Set(closed) }
}

/** What the school says of single nodes. */
export function listNavNodes(db: Kysely<SchoolDb>, school_id: number): Promise<NavNodeSetting[]> {
  return db.selectFrom('school_nav').select(['nav_id', 'show_name', 'icon', 'order', 'hidden']).where('school_id', '=', school_id).execute()
}
