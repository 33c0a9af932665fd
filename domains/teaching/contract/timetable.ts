import { api, Day, del, Done, get, id, Instant, post, put } from '@kit/contract'
import { z } from 'zod'
import { CourseId } from './course.ts'
import { conflict_codes } from './dictionary.ts'
import { ClassId, SemesterId, Teacher } from './teaching.ts'

const TimetableId = id('teaching.timetable')
export const VersionId = id('teaching.version')
export const LessonId = id('teaching.lesson')
export const PlaceId = id('places.place')
const most_commands = 200
/** Drafts of one timetable that may be open at a time. */
export const most_drafts = 20
/** Steps of a draft that can be taken back (chapter 50 §3.4). */
export const most_steps = 200

const Name = z.string({ error: '请填写名称' }).trim().min(1, { error: '请填写名称' }).max(40, { error: '名称不能超过40个字' })
const Note = z.string().trim().max(200, { error: '说明不能超过200个字' }).default('')
const Weekday = z.number({ error: '请选择星期' }).int().min(1, { error: '星期为1至7' }).max(7, { error: '星期为1至7' })
const Section = z.number({ error: '请选择节次' }).int().min(1, { error: '节次为1至16' }).max(16, { error: '节次为1至16' })
const WeeksText = z.string().trim().min(1, { error: '请填写周次' }).max(120, { error: '周次太长' }).regex(/^[0-9,，、\-\s周第单双每]+$/u, { error: '周次格式不正确，例如1-8,10或单、双' })
export const View = z.enum(['class', 'teacher', 'place'])
export type View = z.output<typeof View>

export const Version = z.object({
  id: VersionId, version_no: z.number().int(), state: z.enum(['draft', 'coming', 'running', 'over', 'void']), valid_from: Day.nullable(), valid_to: Day.nullable(),
  note: z.string(), placed: z.number().int(), unplaced: z.number().int(), published_by_name: z.string().nullable(), created_at: Instant,
})
export type Version = z.output<typeof Version>
export const Timetable = z.object({
  id: TimetableId, name: z.string(), kind: z.number().int(), period_kind: z.number().int(), semester_id: z.number().int().nullable(), school_year: z.string(),
  period_name: z.string(), archived: z.boolean(), row_version: z.number().int(), versions: z.array(Version),
})
export type Timetable = z.output<typeof Timetable>

/** One lesson of the plan, placed or not (weekday null). */
export const PlanLesson = z.object({
  id: LessonId, class_id: ClassId, class_name: z.string(), grade: z.string(), course_id: CourseId, course_name: z.string(), color: z.string(), weekday: z.number().int().nullable(), section: z.number().int().nullable(),
  span: z.number().int(), weeks: z.string(), week_name: z.string(), begin: z.string().nullable(), end: z.string().nullable(), place_id: PlaceId.nullable(), place_name: z.string().nullable(),
  teachers: z.array(Teacher), locked: z.boolean(),
})
export type PlanLesson = z.output<typeof PlanLesson>
/** A lesson of the bell: its number and its clock time. */
export const GridLine = z.object({ section: z.number().int(), name: z.string(), begin: z.string(), end: z.string() })
export type GridLine = z.output<typeof GridLine>

/** A finding of the checker. severity 1 blocks the publication, 2 reminds. */
export const Conflict = z.object({
  id: z.string(), severity: z.union([z.literal(1), z.literal(2)]), kind: z.enum(conflict_codes), resource: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  a: LessonId.nullable(), b: LessonId.nullable(), weekday: z.number().int().nullable(), minutes: z.string(), weeks: z.string(), first_dates: z.array(Day), message: z.string(),
})
export type Conflict = z.output<typeof Conflict>

export const Grid = z.object({
  version_id: VersionId, rev: z.number().int(), is_draft: z.boolean(), target_name: z.string(), lines: z.array(GridLine), weekdays: z.array(z.number().int()),
  lessons: z.array(PlanLesson), conflicts: z.array(Conflict), total: z.number().int(), unplaced: z.number().int(),
})
export type Grid = z.output<typeof Grid>

/** What becomes of a lesson in a cell: it is free, it changes places with what is there, something blocks it. */
export const Candidate = z.object({ weekday: z.number().int(), section: z.number().int(), verdict: z.enum(['here', 'free', 'swap', 'blocked', 'locked']), with: LessonId.nullable(), text: z.string() })
export type Candidate = z.output<typeof Candidate>

const lesson = { lesson_id: LessonId }
export const Command = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('place'), ...lesson, weekday: Weekday, section: Section }),
  z.strictObject({ kind: z.literal('swap'), ...lesson, other_id: LessonId }),
  z.strictObject({ kind: z.literal('unplace'), ...lesson }),
  z.strictObject({ kind: z.literal('weeks'), ...lesson, weeks: WeeksText }),
  z.strictObject({ kind: z.literal('room'), ...lesson, place_id: PlaceId.nullable() }),
  z.strictObject({ kind: z.literal('lock'), ...lesson, locked: z.boolean() }),
])
export type Command = z.output<typeof Command>

const byId = z.object({ id: TimetableId })
export const byVersion = z.object({ id: VersionId })
const edit = { need: 'teaching.timetable.edit' } as const
const view = { need: 'teaching.timetable.view' } as const
const publish = { need: 'teaching.timetable.publish' } as const
const Saved = z.object({ timetable: Timetable })
const Edited = z.object({ rev: z.number().int(), title: z.string() })
export const Rev = z.number().int().min(0)

/** Timetables of a term or a year (chapter 50 §4). */
export const timetableApi = api('v2', 'teaching.timetable', {
  list: get('timetable/page', { query: z.object({ kind: z.coerce.number().int().min(1).max(2).default(1), period_kind: z.coerce.number().int().min(1).max(2).default(1) }), reply: z.object({ list: z.array(Timetable) }), ...view }),
  create: post('timetable/create', {
    body: z.strictObject({ name: Name, kind: z.union([z.literal(1), z.literal(2)]).default(1), period_kind: z.union([z.literal(1), z.literal(2)]).default(1), semester_id: SemesterId }), reply: Saved, ...edit,
  }),
  copy: post('timetable/copy', { body: z.strictObject({ timetable_id: TimetableId, name: Name }), reply: Saved, ...edit }),
  update: put('timetable/update/:id', { params: byId, body: z.strictObject({ name: Name, archived: z.boolean(), row_version: z.number().int() }), reply: Saved, ...edit }),
  remove: del('timetable/delete/:id', { params: byId, reply: Done, need: 'teaching.timetable.delete' }),
})

/** One version of a timetable: its grid, its commands, its publication. */
export const versionApi = api('v2', 'teaching.version', {
  add: post('timetable/version/add', { body: z.strictObject({ timetable_id: TimetableId, based_on: VersionId.nullable().default(null), note: Note }), reply: z.object({ version_id: VersionId }), ...edit }),
  remove: del('timetable/version/delete/:id', { params: byVersion, reply: Done, need: 'teaching.timetable.delete' }),
  grid: get('timetable/version/:id/grid', { params: byVersion, query: z.object({ view: View, target_id: z.string().regex(/^\d{1,18}$/u) }), reply: Grid, ...view }),
  check: get('timetable/version/:id/check', { params: byVersion, reply: z.object({ conflicts: z.array(Conflict), blocking: z.number().int(), reminders: z.number().int() }), ...view }),
  steps: get('timetable/version/:id/steps', { params: byVersion, reply: z.object({ list: z.array(z.object({ seq: z.number().int(), title: z.string(), user_name: z.string(), at: Instant, undone: z.boolean() })) }), ...view }),
  command: post('timetable/version/:id/command', { params: byVersion, body: z.strictObject({ rev: Rev, commands: z.array(Command).min(1).max(most_commands, { error: '一次最多200个操作' }) }), reply: Edited, op: 4, ...edit }),
  undo: post('timetable/version/:id/undo', { params: byVersion, body: z.strictObject({ rev: Rev }), reply: Edited, op: 4, ...edit }),
  redo: post('timetable/version/:id/redo', { params: byVersion, body: z.strictObject({ rev: Rev }), reply: Edited, op: 4, ...edit }),
  candidates: post('timetable/version/:id/candidates', { params: byVersion, body: z.strictObject({ lesson_id: LessonId }), reply: z.object({ list: z.array(Candidate) }), reads: true, ...edit }),
  /** lessons follow the teaching of the term: missing ones come unplaced, surplus ones go, teachers are those of today */
  sync: post('timetable/version/:id/sync', { params: byVersion, body: z.strictObject({ rev: Rev }), reply: z.object({ rev: z.number().int(), added: z.number().int(), removed: z.number().int(), changed: z.number().int() }), op: 4, ...edit }),
  diff: get('timetable/version/:id/diff', {
    params: byVersion, query: z.object({ with: VersionId }),
    reply: z.object({ list: z.array(z.object({ change: z.enum(['added', 'removed', 'moved', 'teacher', 'place', 'weeks']), class_name: z.string(), course_name: z.string(), before: z.string(), after: z.string() })) }), ...view,
  }),
  publish: post('timetable/version/:id/publish', {
    params: byVersion, body: z.strictObject({ effective_on: z.iso.date({ error: '请选择生效日期' }), note: Note, preview: z.boolean().default(false) }),
    reply: z.object({ published: z.boolean(), blocking: z.number().int(), conflicts: z.array(Conflict), unplaced: z.number().int(), changed: z.number().int(), classes: z.number().int(), teachers: z.number().int(), days: z.number().int() }),
    op: 4, ...publish,
  }),
  withdraw: post('timetable/version/:id/withdraw', { params: byVersion, reply: Done, op: 4, ...publish }),
})
