import { api, Day, download, get, id, Instant, post, sheet } from '@kit/contract'
import { UserId } from '@campus/people/contract'
import { z } from 'zod'
import { CourseId } from './course.ts'
import { ClassId, SemesterId, Teacher } from './teaching.ts'
import { GridLine, PlaceId, PlanLesson, View } from './timetable.ts'

const most_days = 31
const most_sheets = 100
const Target = z.string().regex(/^\d{1,18}$/u)

/** A lesson that takes place (chapter 50: lesson_day). */
export const DayLesson = z.object({
  lesson_day_id: id('teaching.lesson_day'), date: Day, weekday: z.number().int(), section: z.number().int(), span: z.number().int(), begin_at: Instant, end_at: Instant,
  class_id: ClassId, class_name: z.string(), course_id: CourseId, course_name: z.string(), color: z.string(), place_id: PlaceId.nullable(), place_name: z.string().nullable(), teachers: z.array(Teacher),
  state: z.number().int(), plan_date: Day.nullable(),
})
export type DayLesson = z.output<typeof DayLesson>
/** A day of the week shown: what kind of day, and which day's plan it runs. */
export const WeekDay = z.object({ date: Day, weekday: z.number().int(), label: z.string(), is_school_day: z.boolean(), follows: Day.nullable() })
export type WeekDay = z.output<typeof WeekDay>
export const TargetGroup = z.object({ name: z.string(), items: z.array(z.object({ id: z.string(), name: z.string() })) })
export type TargetGroup = z.output<typeof TargetGroup>

/** A place now: what runs in it, what comes next. */
export const PlaceNow = z.object({ place_id: PlaceId, place_name: z.string(), building: z.string(), lesson: DayLesson.nullable(), minutes_left: z.number().int().nullable(), next: DayLesson.nullable() })
export type PlaceNow = z.output<typeof PlaceNow>

const view = { need: 'teaching.lesson.view' } as const
const span = z.object({ from: Day, to: Day, class_id: ClassId.optional(), teacher_id: UserId.optional(), place_id: PlaceId.optional() })
  .refine(({ from, to }) => from <= to && (Date.parse(to) - Date.parse(from)) / 86_400_000 < most_days, { path: ['to'], error: '请选择不超过31天的日期' })
  .refine(one => one.class_id ?? one.teacher_id ?? one.place_id, { path: ['class_id'], error: '请选择班级、教师或场所' })

/** The lessons of dates, for people and for other systems (chapter 50 §4). */
export const lessonApi = api('v2', 'teaching.lesson', {
  targets: get('lesson_day/targets', { query: z.object({ view: View, semester_id: SemesterId.optional() }), reply: z.object({ groups: z.array(TargetGroup) }), ...view }),
  list: get('lesson_day/list', { query: span, reply: z.object({ list: z.array(DayLesson) }), ...view }),
  week: get('lesson_day/week', {
    query: z.object({ view: View, target_id: Target, from: Day }),
    reply: z.object({ target_name: z.string(), week_no: z.number().int().nullable(), week_kind: z.number().int().nullable(), days: z.array(WeekDay), lines: z.array(GridLine), lessons: z.array(DayLesson) }), ...view,
  }),
  plan: get('lesson_day/plan', {
    query: z.object({ view: View, target_id: Target, date: Day }),
    reply: z.object({ target_name: z.string(), version_name: z.string().nullable(), valid_from: Day.nullable(), lines: z.array(GridLine), weekdays: z.array(z.number().int()), lessons: z.array(PlanLesson) }), ...view,
  }),
  now: get('lesson_day/now', {
    query: z.object({ at: Instant.optional() }),
    reply: z.object({
      at: Instant, places: z.array(PlaceNow), free: z.array(z.object({ place_id: PlaceId, place_name: z.string(), building: z.string(), until: Instant.nullable() })),
      without_teacher: z.array(DayLesson), running: z.number().int(), today: z.number().int(),
    }), ...view,
  }),
  /** what takes place for me: my own lessons, those I teach, or those of my child */
  mine: get('lesson_day/my', {
    query: z.object({ from: Day, to: Day, user_id: UserId.optional() }).refine(({ from, to }) => from <= to
      && (Date.parse(to) - Date.parse(from)) / 86_400_000 < most_days, { path: ['to'], error: '请选择不超过31天的日期' }),
    reply: z.object({ user_id: UserId, user_name: z.string(), people: z.array(z.object({ user_id: UserId, user_name: z.string() })),
      list: z.array(DayLesson) }), session: true, within: 'self',
  }),
  sheet: post('timetable/export/sheet', {
    body: z.strictObject({ view: View, target_ids: z.array(Target).min(1, { error: '请选择要导出的对象' }).max(most_sheets, { error: '一次最多导出100份' }), date: Day, layout: z.enum(['rows', 'grid']).default('rows') }),
    reply: sheet, op: 7, need: 'teaching.timetable.export',
  }),
  feed: post('lesson_day/feed', { body: z.strictObject({ view: View, target_id: Target }), reply: z.object({ path: z.string() }), tells_secret: true, op: 4, need: 'teaching.timetable.export' }),
  ics: get('lesson_day/ics', { query: z.object({ token: z.string().max(120) }), reply: download, open: '课表订阅，随机令牌，只含该班级、教师或场所的课' }),
})
