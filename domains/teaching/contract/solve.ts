import { UserId } from '@campus/people/contract'
import { api, Done, get, id, Instant, post } from '@kit/contract'
import { z } from 'zod'
import { ClassId, Teacher } from './teaching.ts'
import { byVersion, LessonId, PlaceId, Rev, VersionId, View } from './timetable.ts'

const RunId = id('teaching.solve')
const most_changes = 20
const most_rows = 3000

export const SolveRun = z.object({
  id: RunId, version_id: VersionId, state: z.enum(['running', 'finished', 'failed', 'taken']), seed: z.number().int(), job_no: z.string(),
  hard: z.number().int().nullable(), soft: z.number().int().nullable(), placed: z.number().int().nullable(),
    unplaced: z.number().int().nullable(),
  moves: z.number().nullable(), curve: z.array(z.tuple([z.number(), z.number(), z.number()])), reasons: z.array(z.string()),
    created_at: Instant,
  /** the run keeps lessons where they are as far as it can: its result is read as a diff */
  is_change: z.boolean(),
})
export type SolveRun = z.output<typeof SolveRun>

/** One finding of 体检; what blocks refuses the search. `target`: whose timetable or rules to look at. */
export const SolveFault = z.object({
  severity: z.enum(['block', 'warn']), kind: z.enum(['bell', 'load', 'double', 'match', 'locked', 'capacity', 'teacher']), text: z.string(),
  target: z.object({ view: View, id: z.string() }).nullable(),
})
export type SolveFault = z.output<typeof SolveFault>

/** A lesson that the result of a search moves; `with_ids`: rows whose lessons are in its way until they move too. */
export const SolveMove = z.object({
  lesson_id: LessonId, class_id: ClassId, class_name: z.string(), course_name: z.string(), teachers: z.array(Teacher),
    pupils: z.number().int(),
  from: z.string(), to: z.string(), with_ids: z.array(LessonId),
})
export type SolveMove = z.output<typeof SolveMove>

const Weekdays = z.array(z.number().int().min(1).max(7), { error: '请选择星期' }).min(1, { error: '请选择星期' }).max(7)
/** What has changed since the timetable was made: a teacher who cannot teach on some weekdays, a room that cannot be used. */
export const SolveChanges = z.strictObject({
  away: z.array(z.strictObject({ teacher_id: UserId, weekdays: Weekdays })).max(most_changes, { error: '一次最多20位教师' }).default([]),
  rooms: z.array(z.strictObject({ place_id: PlaceId, use_id: PlaceId })).max(most_changes, { error: '一次最多20个场所' }).default([]),
})
export type SolveChanges = z.output<typeof SolveChanges>

const solve = { need: 'teaching.timetable.solve' } as const
const time_error = { error: '时间为10至3600秒' }
const Start = z.strictObject({
  seconds: z.number().int().min(10, time_error).max(3600, time_error).default(120), seed: z.number().int().min(1).max(1_000_000).default(1),
  keep: z.enum(['locked', 'placed', 'changes']).default('locked'), changes: SolveChanges.default({ away: [], rooms: [] }),
})

/** The search for a timetable as a job (chapter 50 §3.8). */
export const solveApi = api('v2', 'teaching.solve', {
  precheck: get('timetable/version/:id/solve/precheck', {
    params: byVersion, reply: z.object({ lessons: z.number().int(), locked: z.number().int(), faults: z.array(SolveFault) }), ...solve,
  }),
  start: post('timetable/version/:id/solve/start', { params: byVersion, body: Start, reply: z.object({ run: SolveRun }), op: 3, ...solve }),
  latest: get('timetable/version/:id/solve/latest', { params: byVersion, reply: z.object({ run: SolveRun.nullable() }), ...solve }),
  stop: post('solve/:id/stop', { params: z.object({ id: RunId }), reply: Done, op: 4, ...solve }),
  /** what taking the result would still move, compared with the draft as it is now; no rows where there are more than 300 */
  moves: get('solve/:id/moves', { params: z.object({ id: RunId }), reply: z.object({ list: z.array(SolveMove), total: z.number().int(),
    lessons: z.number().int() }), ...solve }),
  /** the whole result, or the named rows of it */
  take: post('solve/:id/take', {
    params: z.object({ id: RunId }), body: z.strictObject({ rev: Rev, lesson_ids: z.array(LessonId).min(1).max(most_rows).optional() }),
    reply: z.object({ rev: z.number().int(), moved: z.number().int(), unplaced: z.number().int(), left: z.number().int() }), op: 4,
      ...solve,
  }),
})
