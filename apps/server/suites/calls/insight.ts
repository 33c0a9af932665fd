import { dashboardApi, statisticsApi } from '@campus/insight/contract'
import { sql } from 'kysely'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

const todo = { code: 'insight.todo', x: 0, y: 0, w: 4, h: 5 }

/** A layout that stands for the school's bus board, which no other call touches. */
async function publishedBy({ app, school_id }: World): Promise<string> {
  const { rows } = await app.running.database.tenant(school_id, async db => {
    await sql`delete from dashboard_layout where school_id = ${school_id} and route = 2`.execute(db)
    return sql<{ layout_id: string }>`insert into dashboard_layout (school_id, route, target, items, valid_from) values (${school_id}, 2, 1, '[]', ${app.clock.now()}) returning layout_id`.execute(db)
  })
  return rows[0]?.layout_id ?? ''
}

export const insightCalls: ReadonlyMap<string, Builder> = new Map(
  [...buildersOf(statisticsApi, {
    overview: () => ({ input: {} }),
    rows: world => ({ input: { metric: 'staff_total' as const, dept_id: world.ids.dept } }),
  }),
  ...buildersOf(dashboardApi, {
    widgets: () => ({ input: {} }),
    layout: () => ({ input: { route: '3' as const } }),
    save: () => ({ input: { route: 3 as const, items: [todo] } }),
    reset: () => ({ input: { route: 3 as const } }),
    published: () => ({ input: { route: '3' as const } }),
    publish: world => ({ input: { route: 3 as const, target: 2 as const, target_id: world.me.role_id, items: [todo] } }),
    withdraw: async world => ({ input: { layout_id: await publishedBy(world) } }),
  })],
)
