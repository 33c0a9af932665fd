import { scoreText } from '@campus/exams/contract'
import type { Analysis, ExamRow, Figures, PaperRow, resultApi } from '@campus/exams/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { Db, ExamsCtx } from '../db.ts'
import { readPapers, requireExam } from '../exam/exam.queries.ts'
import type { ExamClass } from '../exam/exam.queries.ts'
import { requireClass, scoreScope } from '../score/scope.ts'
import type { ScoreScope } from '../score/scope.ts'
import { readSitters } from '../score/score.queries.ts'
import type { Sitter } from '../score/score.queries.ts'
import { binsOf, boxOf, figuresOf, itemFigures, meanOf, rounded, sdOf, segmentsOf, tOf } from '../stat/statistics.ts'
import { counted, fullOf, standingsOf } from './totals.ts'
import type { Standing } from './totals.ts'

const usual_cuts = { excellent_pct: 85, good_pct: 75, pass_pct: 60, low_pct: 40 }
/** Groups smaller than this are shown to the office alone (chapter 55 rule 35). */
const least_shown = 5
const [total_bins, most_near] = [20, 200] as const
type Marked = { sitter: Sitter; score: number }

/** Figures and pictures of a grade, of one paper or of the total; what counts is the same as in the list of results (chapter 55 rules 34–37). @throws Refusal 404 */
export async function readAnalysis(ctx: ExamsCtx, { exam_id, grade, paper_id, compare_id, line, band }: Input<typeof resultApi.analysis>): Promise<Analysis> {
  const { db, school_id, now } = ctx
  const exam = await requireExam(db, school_id, now, exam_id)
  const scope = await scoreScope(ctx, exam.grades)
  const { papers, standings, classes } = await readGrade(db, school_id, exam, grade, scope)
  const paper = papers.find(one => one.paper_id === paper_id)
  if (paper_id !== undefined && !paper) throw fail(commonErrors.notFound)
  const marked = standings.flatMap(({ sitter, total }): Marked[] => {
    const score = paper ? counted(sitter.scores.get(paper.paper_id), exam.absent_as) : total
    return score === null ? [] : [{ sitter, score }]
  })
  const full = paper?.full_score ?? fullOf(papers)
  const cuts = paper ?? usual_cuts
  const seen = classes.filter(one => !paper || scope.sees(one.dept_id, paper.subject))
  const before = compare_id === undefined ? null : await readStandings(db, school_id, await requireExam(db, school_id, now, compare_id), grade)
  const scores = marked.map(one => one.score)
  const { difficulty, discrimination } = itemFigures(marked.map(({ sitter, score }) => ({ score, exam_no: sitter.exam_no ?? sitter.user_id })), full)
  const of = (one: ExamClass) => marked.filter(({ sitter }) => sitter.dept_id === one.dept_id)
  const is_shown = (one: ExamClass) => scope.is_office || of(one).length >= least_shown
  return {
    full, papers: papers.map(one => ({ paper_id: one.paper_id, subject: one.subject })), difficulty: rounded(difficulty, 2), discrimination: rounded(discrimination, 2), absent: standings.length - marked.length,
    figures: [lineOf('全年级', null, figuresOf(scores, full, cuts), null), ...seen.filter(is_shown).map(one => lineOf(one.dept_name, one.dept_id, figuresOf(of(one).map(each => each.score), full, cuts), meanOf(scores)))],
    bins: binsOf(scores, full, Math.max(1, Math.ceil(full / total_bins / 5) * 5)),
    boxes: seen.filter(is_shown).flatMap(one => { const box = boxOf(of(one).map(each => each.score)); return box ? [{ name: one.dept_name, box }] : [] }),
    segments: segmentsOf(scores), heat: heatOf(papers, standings, classes.filter(is_shown), exam, scope),
    near: line === undefined ? [] : nearOf(marked.filter(({ sitter }) => seen.some(one => one.dept_id === sitter.dept_id)), line, band, seen),
    trend: before === null ? [] : trendOf(before, standings, classes.filter(is_shown)),
  }
}

async function readGrade(db: Db, school_id: number, exam: ExamRow, grade: string, scope: ScoreScope): Promise<{ papers: PaperRow[]; standings: Standing[]; classes: ExamClass[] }> {
  const papers = (await readPapers(db, school_id, exam.exam_id)).filter(one => one.grade === grade)
  return { papers, standings: await readStandings(db, school_id, exam, grade), classes: scope.classes.filter(one => one.grade === grade) }
}

/** Everybody of a grade who sits one of its papers, with total and rank. */
export async function readStandings(db: Db, school_id: number, exam: ExamRow, grade: string): Promise<Standing[]> {
  const papers = (await readPapers(db, school_id, exam.exam_id)).filter(one => one.grade === grade)
  const ids = new Set(papers.map(one => one.paper_id))
  const sitters = (await readSitters(db, school_id, exam.exam_id)).filter(one => one.papers.some(id => ids.has(id)))
  return standingsOf(sitters, papers, exam.absent_as)
}

function lineOf(name: string, dept_id: string | null, { n, ...rest }: ReturnType<typeof figuresOf>, grade_mean: number | null): Figures {
  const over = grade_mean === null || grade_mean === 0 || rest.mean === null ? null : ((rest.mean - grade_mean) / grade_mean) * 100
  const shown = { mean: rounded(rest.mean, 2), median: rounded(rest.median), sd: rounded(rest.sd, 2), max: rest.max, min: rest.min, excellent: rounded(rest.excellent), good: rounded(rest.good), pass: rounded(rest.pass), low: rounded(rest.low) }
  return { name, dept_id, n, ...shown, over: rounded(over) }
}

/** Class × subject: T of the class mean in its grade. */
function heatOf(papers: readonly PaperRow[], standings: readonly Standing[], classes: readonly ExamClass[], { absent_as }: ExamRow, scope: ScoreScope): Analysis['heat'] {
  const values = classes.map(one => papers.map(paper => {
    const marks = standings.flatMap(({ sitter }) => { const score = counted(sitter.scores.get(paper.paper_id), absent_as); return score === null ? [] : [{ sitter, score }] })
    const own = marks.filter(({ sitter }) => sitter.dept_id === one.dept_id).map(each => each.score)
    const [mean, sd, class_mean] = [meanOf(marks.map(each => each.score)), sdOf(marks.map(each => each.score)), meanOf(own)]
    const is_hidden = !scope.sees(one.dept_id, paper.subject) || (!scope.is_office && own.length < least_shown)
    return mean === null || sd === null || class_mean === null || is_hidden ? null : rounded(tOf(class_mean, mean, sd))
  }))
  return { classes: classes.map(one => one.dept_name), subjects: papers.map(paper => paper.subject), values }
}

/** 临界生: who is at most so many marks over or under a line. */
function nearOf(marked: readonly Marked[], line: number, band: number, classes: readonly ExamClass[]): Analysis['near'] {
  const nameOf = (id: string) => classes.find(one => one.dept_id === id)?.dept_name ?? ''
  return marked.filter(({ score }) => Math.abs(score - line) <= band).toSorted((a, b) => b.score - a.score).slice(0, most_near)
    .map(({ sitter, score }) => ({ user_id: sitter.user_id, user_name: sitter.user_name, dept_name: nameOf(sitter.dept_id), score, gap: rounded(score - line) ?? 0 }))
}

/** Mean percentile of the pupils of a class in an earlier exam and in this one, of those who sat both. */
function trendOf(before: readonly Standing[], after: readonly Standing[], classes: readonly ExamClass[]): Analysis['trend'] {
  const earlier = new Map(before.map(one => [one.sitter.user_id, one.percentile]))
  return classes.flatMap(one => {
    const pairs = after.filter(each => each.sitter.dept_id === one.dept_id && each.percentile !== null && (earlier.get(each.sitter.user_id) ?? null) !== null)
    const [a, b] = [meanOf(pairs.map(each => earlier.get(each.sitter.user_id) ?? 0)), meanOf(pairs.map(each => each.percentile ?? 0))]
    return a === null || b === null ? [] : [{ name: one.dept_name, before: rounded(a) ?? 0, after: rounded(b) ?? 0 }]
  })
}

/** The pupils of a class with scores, total and ranks; progress against an earlier exam by percentile (rule 36). @throws Refusal 404 */
export async function listResults(ctx: ExamsCtx, { exam_id, dept_id, compare_id }: Input<typeof resultApi.list>): Promise<Reply<typeof resultApi.list>> {
  const { db, school_id, now } = ctx
  const exam = await requireExam(db, school_id, now, exam_id)
  const scope = await scoreScope(ctx, exam.grades)
  const one = requireClass(scope, dept_id)
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} ${one.dept_name}` })
  const papers = (await readPapers(db, school_id, exam_id)).filter(paper => paper.grade === one.grade)
  const shown = papers.filter(paper => scope.sees(dept_id, paper.subject))
  const is_whole = shown.length === papers.length
  const standings = await readStandings(db, school_id, exam, one.grade)
  const before = compare_id === undefined ? new Map<string, number | null>() : new Map((await readStandings(db, school_id, await requireExam(db, school_id, now, compare_id), one.grade)).map(each => [each.sitter.user_id, each.percentile]))
  const list = standings.filter(each => each.sitter.dept_id === dept_id).map(({ sitter, total, rank_class, rank_grade, percentile, assigned }) => {
    const earlier = before.get(sitter.user_id) ?? null
    const scores = shown.filter(paper => sitter.papers.includes(paper.paper_id)).map(paper => {
      const stored = sitter.scores.get(paper.paper_id)
      return { paper_id: paper.paper_id, subject: paper.subject, text: stored ? scoreText(stored) : '', assigned: assigned.get(paper.paper_id) ?? null }
    })
    return {
      user_id: sitter.user_id, user_name: sitter.user_name, student_no: sitter.student_no, dept_id, dept_name: one.dept_name, scores, total: is_whole ? total : null,
      rank_class: is_whole ? rank_class : null, rank_grade: is_whole ? rank_grade : null, change: is_whole && earlier !== null && percentile !== null ? rounded(percentile - earlier) : null,
    }
  })
  return { list: list.toSorted((a, b) => (a.rank_class ?? Infinity) - (b.rank_class ?? Infinity)) }
}
