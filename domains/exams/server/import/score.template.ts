import { readScore, scoreText } from '@campus/exams/contract'
import type { ExamRow, PaperRow, Score } from '@campus/exams/contract'
import { importTemplate, missingCells } from '@campus/jobs/server'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, Issue, Judgement, TemplateColumn } from '@campus/jobs/server'
import { foldFullWidth } from '@kit/contract/checks'
import { sql } from 'kysely'
import type { ExamsDb } from '../db.ts'
import { lockExam, readExams, readPapers, states, subjectNames } from '../exam/exam.queries.ts'
import { writeScores } from '../score/entry.service.ts'
import { logChanges } from '../score/log.ts'
import { scopeOfStep } from '../score/scope.ts'
import type { ScoreScope } from '../score/scope.ts'
import { readHandedIn, readSitters } from '../score/score.queries.ts'
import type { Sitter } from '../score/score.queries.ts'

type Words = { subjects: [code: string, name: string][] }
/** `texts`: what stands in the cells of subjects, those that are empty left out. */
type Parsed = { exam: string; no: string; name: string; texts: [subject: string, text: string][] }
type Known = { exam: ExamRow; papers: PaperRow[]; sitters: Map<string, Sitter>; scope: ScoreScope; handed: ReadonlyMap<string, unknown> }
type Snapshot = { exams: ReadonlyMap<string, Known>; names: ReadonlyMap<string, string> }
type Cell = { paper: PaperRow; score: Score; version: number; before: string; after: string }
type Before = { exam_id: string; cells: { paper_id: string; text: string; version: number }[] }
type Step = Pick<ApplyStep<ExamsDb>, 'db' | 'school_id' | 'me' | 'now'>

const heads: TemplateColumn[] = [
  { label: '考试名称', prop: 'exam', required: true, options: null, text: false, sample: '高一年级期中考试', note: '与考试管理中的名称一致' },
  { label: '学号', prop: 'no', required: true, options: null, text: true, sample: '20190101' },
  { label: '姓名', prop: 'name', required: true, options: null, text: false, sample: '王子涵' },
]
const subjectColumn = ([code, name]: Words['subjects'][number]): TemplateColumn => ({
  label: name, prop: `s${code}`, required: false, optional: true, options: null, text: false, sample: '118',
    note: '分数、零分、缺考、缓考、作弊、免考；空白不改变，清除填“清空”',
})
const columnsOf = ({ subjects }: Words): TemplateColumn[] => [...heads, ...subjects.map(subjectColumn)]
const keyOf = (paper_id: string, user_id: string) => `${paper_id}:${user_id}`

/** 考试成绩导入: one line a pupil, one column a subject; an empty cell changes nothing (chapter 55 §6). */
export const scoreTemplate = importTemplate<ExamsDb, Words, Parsed, Snapshot>({
  code: 'exam_score',
  page: '/ExamResult',
  title: '考试成绩导入',
  file_name: '考试成绩导入模板.xlsx',
  sheet: '考试成绩',
  notes: ['填写说明：一行一名学生，每个科目一列。', '填分数、零分、缺考、缓考、作弊或免考；空白不改变原成绩，清除请填“清空”。'],
  need: 'exams.score.import',
  words: step => readWords(step),
  columns: columnsOf,
  check: (words, cells) => checkLine(words, cells),
  keys: ({ exam, no }) => [{ prop: 'no', key: `${exam} ${no}` }],
  load: (step, rows) => loadSnapshot(step, rows.map(row => row.parsed)),
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: (step, rows, snapshot) => applyLines(step, rows, snapshot),
  undo: {
    async marks({ db, school_id }, keys) {
      const pairs = keys.map(key => key.split(':'))
      const { rows } = await sql<{ paper_id: string; user_id: string; version: number }>`
        select o.paper_id::text as paper_id, o.user_id::text as user_id, o.version from exam_score o
        join unnest(${pairs.map(pair => pair[0] ?? '0')}::bigint[], ${pairs.map(pair => pair[1] ?? '0')}::bigint[]) as k(paper_id,
          user_id) on k.paper_id = o.paper_id and k.user_id = o.user_id
        where o.school_id = ${school_id}`.execute(db)
      return new Map(rows.map(row => [keyOf(row.paper_id, row.user_id), String(row.version)]))
    },
    reason: () => '该成绩后来被修改过，不能撤销',
    async undo(step, rows, kept) {
      for (const { target_id, before } of rows) if (isBefore(before)) await putBack(step, target_id, before, kept)
    },
  },
})

function isBefore(value: unknown): value is Before {
  return typeof value === 'object' && value !== null && 'exam_id' in value && 'cells' in value
}

/** Subjects of the exams that scores are being entered for. */
async function readWords({ db, school_id }: Step): Promise<Words> {
  const { rows } = await sql<{ code: string; name: string }>`
    select distinct p.subject as code, coalesce(w.name, p.subject) as name from exam_paper p
    join exam e on e.school_id = ${school_id} and e.exam_id = p.exam_id and e.state in (2, 5)
    left join dictionary_v w on w.school_id = ${school_id} and w.sc_code_type = 'SUBJECT' and w.sc_code_item = p.subject
    where p.school_id = ${school_id} order by p.subject`.execute(db)
  return { subjects: rows.map(({ code, name }) => [code, name]) }
}

function checkLine(words: Words, cells: Cells): Checked<Parsed> {
  const errors = missingCells(heads, cells)
  const texts = words.subjects.flatMap(([code]): Parsed['texts'] => { const text = (cells[`s${code}`] ?? '').trim(); return text === ''
    ? [] : [[code, text]] })
  if (errors.length > 0) return { parsed: null, errors, warnings: [] }
  return { parsed: { exam: cells.exam ?? '', no: foldFullWidth(cells.no ?? ''), name: cells.name ?? '', texts }, errors, warnings: [] }
}

async function loadSnapshot(step: Step, parsed: readonly Parsed[]): Promise<Snapshot> {
  const { db, school_id, now } = step
  const found = await readExams(db, school_id, now, sql`e.exam_name = any(${[...new Set(parsed.map(row => row.exam))]}::text[])
    and e.state <> ${states.cancelled}`)
  const exams = new Map<string, Known>()
  for (const exam of found.toReversed()) {
    const sitters = await readSitters(db, school_id, exam.exam_id)
    exams.set(exam.exam_name, {
      exam, papers: await readPapers(db, school_id, exam.exam_id), sitters: new Map(sitters.map(one => [one.student_no, one])),
        scope: await scopeOfStep(step, exam.grades),
      handed: await readHandedIn(db, school_id, exam.exam_id),
    })
  }
  return { exams, names: await subjectNames(db, school_id) }
}

/** The cells of a line that would change, or what is wrong with them. */
function cellsOf({ texts }: Parsed, { exam, papers, scope, handed }: Known, sitter: Sitter,
  names: Snapshot['names']): { cells: Cell[]; errors: Issue[] } {
  const [cells, errors]: [Cell[], Issue[]] = [[], []]
  for (const [subject, text] of texts) {
    const prop = `s${subject}`
    const name = names.get(subject) ?? subject
    const paper = papers.find(one => one.subject === subject && sitter.papers.includes(one.paper_id))
    if (!paper) { errors.push({ prop, msg: `该生未选考${name}` }); continue }
    if (!scope.sees(sitter.dept_id, subject)) { errors.push({ prop, msg: `您不能录入该班的${name}` }); continue }
    if (handed.has(`${paper.paper_id} ${sitter.dept_id}`)) { errors.push({ prop, msg: '该班成绩已提交，请先退回' }); continue }
    const score = readScore(text, { full_score: paper.full_score, decimals: exam.decimals })
    const faults = { scoreRange: `${name}分数应在0-${paper.full_score}之间`, scoreStep: `分数最多保留${exam.decimals}位小数`, scoreWord: `“${text}”不是分数` }
    if (typeof score === 'string') { errors.push({ prop, msg: faults[score] }); continue }
    const stored = sitter.scores.get(paper.paper_id)
    const before = stored ? scoreText(stored) : ''
    if (before !== scoreText(score)) cells.push({ paper, score, version: stored?.version ?? 0, before, after: scoreText(score) })
  }
  return { cells, errors }
}

function judgeLine(parsed: Parsed, { exams, names }: Snapshot): Judgement {
  const wrong = (prop: string, msg: string): Judgement => ({ verdict: 'same', target_id: null, diff: [], errors: [{ prop, msg }],
    warnings: [] })
  const known = exams.get(parsed.exam)
  if (!known) return wrong('exam', '考试不存在，请核对名称')
  if (known.exam.state >= states.released) return wrong('exam', '成绩已发布，请走更正流程')
  if (known.exam.state < states.sitting) return wrong('exam', '考试尚未开始，不能录分')
  const sitter = known.sitters.get(parsed.no)
  if (!sitter) return wrong('no', '不在本次考试名单')
  if (sitter.user_name !== parsed.name) return wrong('name', '姓名与编号不一致')
  const { cells, errors } = cellsOf(parsed, known, sitter, names)
  const fresh = cells.every(cell => cell.before === '')
  return {
    verdict: cells.length === 0 ? 'same' : fresh ? 'new' : 'change', target_id: sitter.user_id, basis: cells.map(cell =>
      cell.version).join('.').slice(0, 80),
    diff: cells.map(({ paper, before, after }) => ({ prop: `s${paper.subject}`, before, after })), errors, warnings: [],
  }
}

async function applyLines(step: ApplyStep<ExamsDb>, rows: readonly ApplyRow<Parsed>[], { exams, names }: Snapshot): Promise<AppliedRow[]> {
  const { db, school_id, me, now, batch_no } = step
  const applied: AppliedRow[] = []
  for (const [name, own] of Map.groupBy(rows, row => row.parsed.exam)) {
    const known = exams.get(name)
    if (!known) continue
    const { exam_id } = await lockExam(db, school_id, now, known.exam.exam_id)
    const written = own.flatMap(({ row_no, parsed }) => {
      const sitter = known.sitters.get(parsed.no)
      return sitter ? [{ row_no, sitter, cells: cellsOf(parsed, known, sitter, names).cells }] : []
    })
    const flat = written.flatMap(({ sitter, cells }) => cells.map(cell => ({ ...cell, sitter })))
    if (flat.length > 0) await writeScores(db, { school_id, exam_id, by: me.user_id, at: now }, flat)
    await logChanges(db, { school_id, exam_id, at: now }, flat.map(({ paper, sitter, version, before, after }) => ({
      paper_id: paper.paper_id, user_id: sitter.user_id, version: version + 1, from_text: before, to_text: after, cause: 'import',
        reason: batch_no, by_user_id: me.user_id, approver_id: null,
    })))
    for (const { row_no, sitter, cells } of written) {
      const before: Before = { exam_id, cells: cells.map(({ paper, before: text, version }) => ({ paper_id: paper.paper_id, text,
        version: version + 1 })) }
      applied.push({ row_no, target_id: sitter.user_id, before, touched: cells.map(({ paper, version }) => ({ key: keyOf(paper.paper_id,
        sitter.user_id), mark: String(version + 1) })) })
    }
  }
  return applied
}

/** The scores of before a line, as further versions; what later hands have changed stays. */
async function putBack(step: ApplyStep<ExamsDb>, user_id: string, { exam_id, cells }: Before, kept: ReadonlySet<string>): Promise<void> {
  const { db, school_id, me, now, batch_no } = step
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state >= states.released) return
  const papers = new Map((await readPapers(db, school_id, exam_id)).map(paper => [paper.paper_id, paper]))
  const sitter = (await readSitters(db, school_id, exam_id)).find(one => one.user_id === user_id)
  const back = cells.filter(cell => !kept.has(keyOf(cell.paper_id, user_id))).flatMap(({ paper_id, text }) => {
    const [paper, now_stored] = [papers.get(paper_id), sitter?.scores.get(paper_id)]
    const score = paper && readScore(text, { full_score: paper.full_score, decimals: 1 })
    return paper && sitter && now_stored && score && typeof score !== 'string' ? [{ paper, sitter, version: now_stored.version, score,
      from_text: scoreText(now_stored), to_text: text }] : []
  })
  if (back.length === 0) return
  await writeScores(db, { school_id, exam_id, by: me.user_id, at: now }, back)
  await logChanges(db, { school_id, exam_id, at: now }, back.map(({ paper, version, from_text, to_text }) => ({
    paper_id: paper.paper_id, user_id, version: version + 1, from_text, to_text, cause: 'import', reason: `撤销 ${batch_no}`,
      by_user_id: me.user_id, approver_id: null,
  })))
}
