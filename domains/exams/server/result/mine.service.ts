import { scoreText } from '@campus/exams/contract'
import type { MyScore, PaperRow, resultApi } from '@campus/exams/contract'
import { selfScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { ExamsCtx } from '../db.ts'
import { readPapers, requireExam, subjectNames } from '../exam/exam.queries.ts'
import type { Stored } from '../score/score.queries.ts'
import { readReviews, reviewUntil } from './review.service.ts'
import { readStandings } from './analysis.service.ts'
import type { Standing } from './totals.ts'

const most_exams = 20
const whole = 100
const bands = [[10, '前10%'], [25, '前25%'], [50, '前50%'], [whole, '后50%']] as const

/** Scores of me and my children, of releases to families only, and only what that release shows (chapter 55 rules 22, 23). @throws Refusal 404 for other pupils */
export async function readMine(ctx: ExamsCtx, { user_id }: Input<typeof resultApi.mine>): Promise<Reply<typeof resultApi.mine>> {
  const { db, school_id, now } = ctx
  const own = await selfScope(ctx)
  if (user_id !== undefined && !own.includes(user_id)) throw fail(commonErrors.notFound)
  const ids = user_id === undefined ? own : [user_id]
  const { rows } = await sql<{ exam_id: string; user_id: string; at: Date; score_mode: string; show_rank: string }>`
    select r.exam_id::text as exam_id, c.user_id::text as user_id, r.at, r.score_mode, r.show_rank
    from exam_release r
    join exam e on e.school_id = ${school_id} and e.exam_id = r.exam_id and e.publish_version = r.publish_version and e.state in (6, 7)
    join exam_candidate c on c.school_id = ${school_id} and c.exam_id = r.exam_id and c.user_id = any(${ids}::bigint[]) and c.state <> 1
    where r.school_id = ${school_id} and r.withdrawn_at is null and 3 = any(r.audiences) order by r.at desc limit ${most_exams}`.execute(db)
  const names = await subjectNames(db, school_id)
  const reviews = await readReviews(db, school_id, rows.map(row => row.exam_id), ids)
  const list: MyScore[] = []
  for (const row of rows) {
    const exam = await requireExam(db, school_id, now, row.exam_id)
    const all = await readPapers(db, school_id, row.exam_id)
    const found = await findStanding(ctx, row, exam, all)
    if (!found) continue
    const { standing, papers, ranked } = found
    list.push({
      exam_id: row.exam_id, exam_name: exam.exam_name, user_id: row.user_id, user_name: standing.sitter.user_name, released_at: row.at.toISOString(), score_mode: row.score_mode,
      lines: papers.map(paper => ({
        ...lineOf(names.get(paper.subject) ?? paper.subject, paper, standing.sitter.scores.get(paper.paper_id), row.score_mode),
        paper_id: paper.paper_id, review: reviews.get(`${paper.paper_id} ${row.user_id}`) ?? null,
      })),
      review_until: reviewUntil(row.at).toISOString(), may_review: now <= reviewUntil(row.at),
      total: row.score_mode === 'score' ? standing.total : null, rank: row.score_mode === 'score' ? rankText(standing, ranked, row.show_rank) : null,
    })
  }
  return { list }
}

async function findStanding({ db, school_id }: ExamsCtx, { user_id }: { user_id: string }, exam: Awaited<ReturnType<typeof requireExam>>, all: readonly PaperRow[]): Promise<{ standing: Standing; papers: PaperRow[]; ranked: number } | null> {
  for (const grade of exam.grades) {
    const standings = await readStandings(db, school_id, exam, grade)
    const standing = standings.find(one => one.sitter.user_id === user_id)
    if (standing) return { standing, papers: all.filter(paper => standing.sitter.papers.includes(paper.paper_id)), ranked: standings.filter(one => one.rank_grade !== null).length }
  }
  return null
}

function lineOf(subject: string, paper: PaperRow, stored: Stored | undefined,
  score_mode: string): Pick<MyScore['lines'][number], 'subject' | 'score' | 'level'> {
  if (!stored || stored.score === null) return { subject, score: score_mode === 'score' ? (stored ? scoreText(stored) : null) : null, level: stored ? scoreText(stored) : null }
  const share = (stored.score / paper.full_score) * whole
  const level = share >= paper.excellent_pct ? '优秀' : share >= paper.good_pct ? '良好' : share >= paper.pass_pct ? '合格' : '待提高'
  return { subject, score: score_mode === 'score' ? scoreText(stored) : null, level }
}

function rankText({ rank_grade }: Standing, n: number, show_rank: string): string | null {
  if (rank_grade === null || show_rank === 'none') return null
  if (show_rank === 'self_rank') return `年级第${rank_grade}名，共${n}人`
  return bands.find(([most]) => (rank_grade / n) * whole <= most)?.[1] ?? null
}
