import { api, board_columns, Done, get, id, Instant, most_cards, post, put } from '@kit/contract'
import { z } from 'zod'

const cell = z.number().int().min(0).max(200)
const span = z.number().int().min(1).max(board_columns)

/** A card in its place: twelve columns, rows from the top. */
export const LayoutItem = z.strictObject({ code: z.string().max(60), x: cell, y: cell, w: span, h: span })
export type LayoutItem = z.output<typeof LayoutItem>
const Layout = z.array(LayoutItem).max(most_cards, `最多放置${most_cards}个组件`)

/** Dashboards that are arranged: 2 校车数据看板, 3 自定义看板. */
const Board = z.union([z.literal(2), z.literal(3)])
const BoardQuery = z.enum(['2', '3']).transform(value => (value === '2' ? 2 : 3))
const LayoutId = id('insight.layout')
/** 1 everybody of the school, 2 one role */
const Target = z.union([z.literal(1), z.literal(2)])

/** What stands on a dashboard for the identity, and who decided so: the person, the role, the school, or nobody (`usual`: the product’s own order). */
export const DashboardLayout = z.object({
  source: z.enum(['own', 'role', 'school', 'usual']),
  items: Layout,
  /** who published what stands behind the person's own, and when */
  published: z.object({ target: Target, by: z.string(), at: Instant }).nullable(),
})
export type DashboardLayout = z.output<typeof DashboardLayout>

export const PublishedLayout = z.object({ layout_id: LayoutId, target: Target, target_id: z.string().nullable(), target_name: z.string(), cards: z.number().int(), by: z.string(), at: Instant })
export type PublishedLayout = z.output<typeof PublishedLayout>

const PublishTarget = z.object({ target: Target, target_id: id('identity.role').nullable() })

export const dashboardApi = api('core', 'insight.dashboard', {
  /** codes of the cards that the identity may use */
  widgets: get('dashboard/widget/list', { reply: z.object({ codes: z.array(z.string()) }), need: 'insight.dashboard.view', within: 'self' }),
  layout: get('dashboard/layout', { query: z.object({ route: BoardQuery }), reply: DashboardLayout, need: 'insight.dashboard.view', within: 'self' }),
  save: put('dashboard/layout', { body: z.strictObject({ route: z.literal(3), items: Layout }), reply: DashboardLayout, need: 'insight.dashboard.view', within: 'self' }),
  /** 恢复默认: the person's own arrangement goes */
  reset: post('dashboard/layout/reset', { body: z.strictObject({ route: z.literal(3) }), reply: DashboardLayout, need: 'insight.dashboard.view', within: 'self', op: 4 }),
  published: get('dashboard/layout/published', {
    query: z.object({ route: BoardQuery }),
    reply: z.object({ list: z.array(PublishedLayout), roles: z.array(z.object({ role_id: z.string(), name: z.string() })) }),
    need: 'insight.layout.publish',
    within: 'school',
  }),
  publish: post('dashboard/layout/publish', { body: z.strictObject({ route: Board, ...PublishTarget.shape, items: Layout }), reply: PublishedLayout, need: 'insight.layout.publish', within: 'school', op: 4 }),
  withdraw: post('dashboard/layout/withdraw', { body: z.strictObject({ layout_id: LayoutId }), reply: Done, need: 'insight.layout.publish', within: 'school', op: 5 }),
})
