import { enqueueJob } from '@campus/jobs/server'
import { parseWeeks } from '@campus/teaching/contract'
import { Imported } from '@campus/teaching/contract'
import type { Conflict, FileChange, FileIssue, tableFileApi, TableImport } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { readSheet, SheetRefused } from '@kit/server/excel'
import type { ReadSheet } from '@kit/server/excel'
import type { Pre } from '@kit/server/http'
import { z } from 'zod'
import { teachingErrors } from '@campus/teaching/contract'
import { cellName } from '../conflict/check.ts'
import type { Db, TeachingCtx } from '../db.ts'
import { teacherNames } from '../plan/plan.queries.ts'
import { imageOf } from '../timetable/command.ts'
import { loadWorld, readLessons, weeksOfTerms } from '../timetable/context.queries.ts'
import type { LessonRow } from '../timetable/context.queries.ts'
import { undoOne, writeStep } from '../timetable/edit.service.ts'
import type { Editor } from '../timetable/edit.service.ts'
import { checkRows } from '../timetable/look.service.ts'
import { requireDraft, requireVersion } from '../timetable/version.queries.ts'
import type { VersionFacts } from '../timetable/version.queries.ts'
import { readTableFile } from './table-file.ts'
import type { Entry } from './table-file.ts'
import { matchEntries } from './table-match.ts'
import type { Known, Matched } from './table-match.ts'

const header_rows = 5
const [most_issues, most_changes, most_clashes] = [500, 200, 100] as const
const import_days = 30
const day_ms = 86_400_000
/** How an import was asked for; the draft must still be as it was then. */
export const Asked = z.object({ rev: z.number(), mode: z.enum(['replace', 'add']), clash: z.enum(['mark', 'refuse']),
  preview: z.enum(['0', '1']) })
type Asked = z.output<typeof Asked>
const state_names = ['running', 'done', 'failed'] as const
export const import_job = 'teaching_table'
/** Checked, then written. */
const stages = 2

/**
 * Starts the import of a timetable into a draft as a job: the sheets are read here, checked and written there.
 * @throws Refusal 400 without a file, 404, 409 stale, 422 published, fileUnreadable, fileNoTable
 */
export async function startImport(pre: Pre,
  { id, ...asked }: Input<typeof tableFileApi.importFile>): Promise<(ctx: TeachingCtx) => Promise<Reply<typeof tableFileApi.importFile>>> {
  if (!pre.file) throw fail(commonErrors.malformed)
  const sheets = await openFile(pre.file.path, pre.file.file_name)
  return async ctx => {
    const { db, school_id, me, now } = ctx
    const version = await requireDraft(db, school_id, id, asked.rev)
    const names = new Set((await db.selectFrom('course').select('course_name').where('school_id', '=',
      school_id).execute()).map(one => one.course_name))
    if (readTableFile(sheets, name => names.has(name)).layout === null) throw fail(teachingErrors.fileNoTable)
    const row = { school_id, version_id: id, params: JSON.stringify(asked), sheets: JSON.stringify(sheets), created_at: now,
      created_by: me.user_id }
    const made = await db.insertInto('table_import').values(row).returning('id').executeTakeFirstOrThrow()
    const title = `${asked.preview === '1' ? '核对' : '导入'}课表 ${version.table_name}`
    const job_no = await enqueueJob(ctx, { kind: import_job, title, params: { import_id: made.id }, total: stages, lane: import_job })
    await db.updateTable('table_import').set({ job_no }).where('school_id', '=', school_id).where('id', '=', made.id).execute()
    ctx.note({ target_kind: 'teaching.version', target_id: id, target_name: `${title} v${version.version_no}`, job_no })
    return { id: made.id, job_no }
  }
}

/** My latest import into a draft; `result` is there once its job is done. @throws Refusal 404 */
export async function latestImport({ db, school_id, me, now }: TeachingCtx, id: string): Promise<Reply<typeof tableFileApi.imported>> {
  await requireVersion(db, school_id, id)
  const row = await db.selectFrom('table_import').select(['id', 'job_no', 'params', 'state', 'result', 'error', 'step_seq', 'undone_at',
    'created_at'])
    .where('school_id', '=', school_id).where('version_id', '=', id).where('created_by', '=', me.user_id).orderBy('id', 'desc').limit(1)
      .executeTakeFirst()
  if (!row) return { run: null }
  const { params, state, result, step_seq, undone_at, created_at, ...rest } = row
  return { run: { ...rest, state: state_names[state] ?? 'failed', is_preview: Asked.parse(params).preview === '1',
    result: result === null ? null : Imported.parse(result), may_undo: step_seq !== null && undone_at === null && isFresh(created_at,
      now) } }
}

const isFresh = (at: Date, now: Date) => now.getTime() - at.getTime() < import_days * day_ms

/** Within thirty days, and while nobody has changed its lessons. @throws Refusal 404, 409 importChanged, 422 published */
export async function undoImport(ctx: TeachingCtx, id: string): Promise<Reply<typeof tableFileApi.undoImport>> {
  const { db, school_id, now } = ctx
  const row = await db.selectFrom('table_import').select(['version_id', 'step_seq', 'undone_at', 'created_at']).where('school_id', '=',
    school_id)
    .where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw fail(commonErrors.notFound)
  if (row.step_seq === null || row.undone_at !== null || !isFresh(row.created_at, now)) throw fail(teachingErrors.importChanged)
  const undone = await undoOne(ctx, row.version_id, row.step_seq)
  await db.updateTable('table_import').set({ undone_at: now }).where('school_id', '=', school_id).where('id', '=', id).execute()
  return undone
}

async function openFile(path: string, file_name: string): Promise<ReadSheet[]> {
  try {
    return (await readSheet(path, { file_name, header_rows })).sheets
  } catch (error) {
    if (error instanceof SheetRefused) throw fail(teachingErrors.fileUnreadable, { params: { why: error.message } })
    throw error
  }
}

/**
 * Writes a file into a draft as one step of its history (chapter 50 §6). Rows with an error are left out.
 * @throws Refusal 404, 409 stale, 422 published, fileNoTable
 */
export async function importSheets(ctx: Editor, id: string, { rev, mode, clash, preview }: Asked,
  sheets: readonly ReadSheet[]): Promise<TableImport> {
  const { db, school_id } = ctx
  const version = await requireDraft(db, school_id, id, rev)
  const rows = await readLessons(db, school_id, [id])
  const facts = await readFacts(db, school_id, version, rows)
  const file = readTableFile(sheets, name => facts.courses.has(name))
  if (file.layout === null) throw fail(teachingErrors.fileNoTable)
  const issues = [...file.issues]
  const known = file.entries.flatMap(entry => resolveEntry(entry, facts, issues) ?? [])
  const matched = matchEntries(known, rows, mode)
  const by_id = new Map(rows.map(row => [row.id, row]))
  const clashes = await settleClashes(ctx, version, { rows, matched, refuse: clash === 'refuse' })
  const { placed, removed } = matched
  const changed = [...placed.values()].flatMap(({ after }) => { const before = by_id.get(after.id); return before && differs(before, after)
    ? [{ before, after }] : [] })
  const down = removed.map(before => ({ before, after: { ...before, weekday: null, section: null } }))
  const moves = [...changed, ...down]
  const is_real = preview === '0' && moves.length > 0
  const step = { title: `导入课表 ${moves.length}节`, command: moves.map(one => imageOf(one.after)), inverse: moves
    .map(one => imageOf(one.before)) }
  const edited = is_real ? await writeStep(ctx, version, step) : { rev: version.rev }
  const all = [...issues, ...matched.issues].toSorted((a, b) => a.sheet.localeCompare(b.sheet) || a.row - b.row)
  const added = changed.filter(({ before }) => before.weekday === null).length
  return {
    imported: is_real, rev: edited.rev, layout: file.layout, total: file.entries.length, added, moved: changed.length - added,
    same: placed.size - changed.length, removed: down.length, issues: all.slice(0, most_issues), issue_count: all.length,
    clashes: clashes.slice(0, most_clashes), clash_count: clashes.length, changes: moves.slice(0, most_changes).map(changeOf),
  }
}

const textOf = ({ weekday, section }: LessonRow) => (weekday === null || section === null ? '未排' : cellName({ weekday, section }))

function changeOf({ before, after }: { before: LessonRow; after: LessonRow }): FileChange {
  return { class_name: before.class_name, course_name: before.course_name, before: textOf(before), after: textOf(after) }
}

function differs(before: LessonRow, after: LessonRow): boolean {
  return JSON.stringify(imageOf(before)) !== JSON.stringify(imageOf(after))
}

type Clashing = { rows: readonly LessonRow[]; matched: Matched; refuse: boolean }

/**
 * What clashes in the draft as the file leaves it, each named by its rows; with `refuse` the lessons of the file that clash stay where they
 * are.
 */
async function settleClashes({ db, school_id }: Editor, version: VersionFacts,
  { rows, matched, refuse }: Clashing): Promise<string[]> {
  const { placed } = matched
  const sentences: string[] = []
  for (;;) {
    const down = new Set(matched.removed.map(row => row.id))
    const own = rows.map(row => placed.get(row.id)?.after ?? (down.has(row.id) ? { ...row, weekday: null, section: null } : row))
    const found = (await checkRows(db, school_id, version, own)).filter(({ severity, a, b }) => severity === 1 && (placed.has(a ?? '')
      || placed.has(b ?? '')))
    sentences.push(...found.map(conflict => clashText(conflict, placed)))
    if (!refuse || found.length === 0) return [...new Set(sentences)]
    for (const { a, b } of found) for (const id of [a, b]) placed.delete(id ?? '')
  }
}

/** 第12行与第47行：… */
function clashText({ a, b, message }: Conflict, placed: Matched['placed']): string {
  const spots = [a, b].flatMap(id => placed.get(id ?? '')?.spots.slice(0, 1) ?? [])
  const named = spots.map(({ sheet, row }) => `${spots.some(one => one.sheet !== spots[0]?.sheet) ? `“${sheet}”` : ''}第${row}行`)
  return `${named.join('与')}：${message}`
}

type Facts = {
  version: VersionFacts; terms: ReadonlySet<string>; classes: ReadonlyMap<string, LessonRow>
  /** courses of the school by name, with the grades they are for */
  courses: ReadonlyMap<string, string[]>
  lessons: ReadonlyMap<string, LessonRow>; staff: ReadonlyMap<string, string>; names: ReadonlyMap<string, string>
  places: ReadonlyMap<string, string>; sections: ReadonlyMap<string, ReadonlySet<number>>; weeks: readonly number[]
}

async function readFacts(db: Db, school_id: number, version: VersionFacts, rows: readonly LessonRow[]): Promise<Facts> {
  const staff = await db.selectFrom('live_staff').select(['user_id', 'teacher_no']).where('school_id', '=', school_id).execute()
  const courses = await db.selectFrom('course').select(['course_name', 'grades']).where('school_id', '=', school_id).execute()
  const places = await db.selectFrom('place_live_v').select(['place_id', 'node_path_name']).where('school_id', '=', school_id).execute()
  const world = await loadWorld(db, school_id, version.terms)
  const grades = Map.groupBy(courses, one => one.course_name)
  return {
    version, terms: new Set(version.terms.map(term => term.name)), classes: new Map(rows.map(row => [row.class_name, row])),
    courses: new Map([...grades].map(([name, list]) => [name, list.flatMap(one => one.grades)])),
    lessons: new Map(rows.map(row => [`${row.class_id} ${row.course_name}`, row])), staff: new Map(staff
      .map(one => [one.teacher_no, one.user_id])),
    names: await teacherNames(db, school_id, rows.flatMap(row => row.teacher_ids)), places: new Map(places
      .map(one => [one.node_path_name, one.place_id])),
    sections: new Map([...world.bells].map(([grade, bells]) => [grade, new Set(bells.flatMap(bell => [...bell.keys()]))])),
      weeks: weeksOfTerms(version.terms),
  }
}

/** An entry with its names looked up; what cannot be found is added to the issues of its cell. */
function resolveEntry(entry: Entry, facts: Facts, issues: FileIssue[]): Known | null {
  const { at, semester, class_names, course, weekday, section } = entry
  const is_rows = semester !== null
  const before = issues.length
  const put = (column: string, msg: string) => issues.push({ ...at, column: is_rows ? column : at.column, msg })
  const own = class_names.map(name => facts.classes.get(name)).find(row => row !== undefined)
  if (is_rows && !facts.terms.has(semester)) put('学期', '学期不存在')
  if (!own) put('班级', '班级不存在')
  const lesson = own && facts.lessons.get(`${own.class_id} ${course}`)
  if (own && !lesson) put('课程', courseProblem(facts.courses.get(course), own.grade))
  if (own && facts.sections.get(own.grade)?.has(section) !== true) put('节次', '节次不在作息内')
  const weeks = parseWeeks(entry.weeks, facts.weeks)
  const beyond = weeks?.find(week => !facts.weeks.includes(week))
  if (weeks === null || weeks.length === 0) put('单双周', '周次格式不正确')
  else if (beyond !== undefined) put('单双周', `周次超出学期（第${beyond}周）`)
  if (lesson) checkTeachers(entry, lesson, facts, put)
  const place_id = entry.place === null ? undefined : facts.places.get(entry.place)
  if (entry.place !== null && place_id === undefined) put('上课地点', '上课地点不存在')
  if (!lesson || weeks === null || issues.length > before) return null
  return { at, class_id: lesson.class_id, course_id: lesson.course_id, weekday, section, weeks, place_id: place_id === lesson.home_place_id
    ? null : place_id }
}

function courseProblem(grades: readonly string[] | undefined, grade: string): string {
  if (!grades) return '课程不存在'
  return grades.includes(grade) ? '该班没有这门课的任课，请先设置教师任课并同步课时' : '课程不适用该年级'
}

function checkTeachers({ teacher_nos, teacher_names }: Entry, lesson: LessonRow, { staff, names }: Facts, put: (column: string,
  msg: string) => void): void {
  if (teacher_nos !== null) {
    const ids = teacher_nos.map(no => staff.get(no))
    if (teacher_nos.length === 0 && lesson.teacher_ids.length > 0) put('教师工号', '必填项不能为空')
    else if (ids.includes(undefined)) put('教师工号', '教师工号不存在')
    else if (ids.some(id => !lesson.teacher_ids.includes(id ?? ''))) put('教师工号', '教师未任该班该课')
  } else if (teacher_names?.some(name => !lesson.teacher_ids.some(id => names.get(id) === name))) put('', '教师未任该班该课')
}

