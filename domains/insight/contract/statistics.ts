import { DeptId } from '@campus/people/contract'
import { api, Day, filter, get, Instant, page, PageQuery, QueryFlag } from '@kit/contract'
import { z } from 'zod'
import { metric_codes, row_metrics } from './metrics.ts'

/** Permission to see figures of the school at all; every figure asks for its own permission besides. */
export const stat_view = 'insight.stat.view'

const Count = z.number().int().min(0)
/** Address of the list that shows exactly the counted rows; null: they are rows of `statistics/rows`. */
const ListLink = z.string().nullable()

export const Figure = z.object({ metric: z.enum(metric_codes), count: Count, link: ListLink })
export type Figure = z.output<typeof Figure>

/** A class of the drawing, with its size of today. */
export const ClassSize = z.object({ dept_id: DeptId, label: z.string(), total: Count, capacity: Count.nullable(), head: z.string().nullable(), link: ListLink })
export type ClassSize = z.output<typeof ClassSize>

/** A grade of the drawing; `total` is the sum of its classes that the identity sees. */
export const GradeSize = z.object({
  dept_id: DeptId,
  dept_name: z.string(),
  stage: z.string().nullable(),
  total: Count,
  boys: Count,
  girls: Count,
  link: ListLink,
  classes: z.array(ClassSize),
})
export type GradeSize = z.output<typeof GradeSize>

/** An enterprise's department with the employees whose own department it is; null = without department. */
export const DeptSize = z.object({ dept_id: DeptId.nullable(), label: z.string(), total: Count })
export type DeptSize = z.output<typeof DeptSize>

export const Overview = z.object({
  date: Day,
  as_of: Instant,
  figures: z.array(Figure),
  grades: z.array(GradeSize),
  depts: z.array(DeptSize),
})
export type Overview = z.output<typeof Overview>

/** One counted thing: a person, a class, a change. */
export const StatRow = z.object({ key: z.string(), title: z.string(), detail: z.string(), at: Day.nullable(), link: ListLink })
export type StatRow = z.output<typeof StatRow>

export const statisticsApi = api('core', 'insight.statistics', {
  overview: get('statistics/overview', { reply: Overview, need: stat_view, within: 'dept' }),
  rows: get('statistics/rows', {
    /** `dept_id` narrows staff_total to the people whose own department it is, `no_dept` to those without one */
    query: PageQuery.extend({ metric: z.enum(row_metrics), dept_id: filter(DeptId), no_dept: filter(QueryFlag) }),
    reply: page(StatRow),
    need: stat_view,
    within: 'dept',
  }),
})
