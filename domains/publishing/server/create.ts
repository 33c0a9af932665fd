import { createHash } from 'node:crypto'
import { dueDays, post_state } from '@campus/publishing/contract'
import type { Answers, HonourRow, PostDraft, RepeatRule } from '@campus/publishing/contract'
import { schoolDay } from '@campus/school/server'
import { asTables, insertMany, monthOf } from '@kit/server/db'
import { rich_text_version } from '@kit/server/rich-text'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { PublishingDb, Work } from './db.ts'
import { resolveAudience, unbound, unitsOf } from './post/audience.ts'
import type { Reader } from './post/audience.ts'

type Place = Omit<Work, 'app' | 'db'> & { db: QueryExecutorProvider }
/** A post to one department; `sent_at` null is a draft. Of its readers every `read_each`th has not read; `answers` are given by the first who have. */
export type PlannedPost = Pick<PostDraft, 'scene' | 'kind' | 'title' | 'reply_kind' | 'form'> & {
  paragraphs: readonly string[]; dept_id: string; created_by: string; sent_at: Date | null; due_at: Date | null; unread_each: number; answers: readonly Answers[]
  /** of a homework: its subject and how long it takes, which counts on the day it is due */
  homework?: { subject: string; est_minutes: number }
  /** of a check-in: its days; each of those who answer leaves out one day of five, everybody another one */
  check_in?: RepeatRule
}
export type PlannedHonour = Pick<HonourRow, 'dept_id' | 'honour_code' | 'title' | 'awarded_on' | 'held_from' | 'held_to'> & { subject: number; scope_dept_id: string; created_by: string }

const [minute_ms, day_ms, left_out] = [60_000, 86_400_000, 5] as const

/** Writes posts as if they had been sent and read, without the messages that a publication sends. */
export async function createPosts({ db: handle, ...work }: Place, posts: readonly PlannedPost[]): Promise<void> {
  const db = asTables<PublishingDb>(handle)
  for (const post of posts) await createPost({ ...work, db }, post)
}

async function createPost(work: Omit<Work, 'app'>, post: PlannedPost): Promise<void> {
  const { db, school_id } = work
  const { scene, kind, reply_kind, dept_id, created_by, sent_at, due_at } = post
  const created_at = sent_at ?? work.now
  const readers = sent_at === null ? [] : await resolveAudience(work, { scene, receivers: 1, audience: [{ mode: 1, target_type: 1, target_id: dept_id }] })
  const sending = sent_at === null ? { state: post_state.draft } : { state: post_state.sent, sent_at, sent_month: `${monthOf(sent_at)}-01`, expected_count: unitsOf(readers) }
  const { post_id } = await db.insertInto('publishing_post').values({
    school_id, scene, kind, edition: 2, reply_kind, parent_rule: 1, receivers: 1, allow_late: false, allow_resubmit: false, anonymous: false, must_read: false, due_at, owner_dept_id: scene === 2 ? dept_id : null, ...post.homework,
    repeat_rule: post.check_in ? JSON.stringify(post.check_in) : null,
    created_at, created_by, updated_at: created_at, ...sending,
  }).returning('post_id').executeTakeFirstOrThrow()
  const content_text = post.paragraphs.join('\n')
  const content_html = post.paragraphs.map(text => `<p>${text}</p>`).join('')
  const content_hash = createHash('sha256').update(JSON.stringify([post.title, content_html, post.form, []])).digest('hex')
  await db.insertInto('publishing_post_rev').values({
    school_id, post_id, rev: 1, title: post.title, summary: [...content_text].slice(0, 117).join(''), content_html, content_text, sanitiser_ver: rich_text_version, form: JSON.stringify(post.form), content_hash,
    removed_pictures: 0, reset_read: false, published: sent_at !== null, at: created_at, by_user: created_by,
  }).execute()
  await db.insertInto('publishing_audience').values({ school_id, post_id, line_no: 1, mode: 1, target_type: 1, target_id: dept_id }).execute()
  if (sent_at !== null) await receive(work, post_id, post, sent_at, readers)
  if (post.homework && due_at !== null) await hold(work, post_id, dept_id, post.homework.est_minutes, due_at)
}

/** The minutes of a homework on the day it is due. */
async function hold({ db, school_id }: Omit<Work, 'app'>, post_id: string, dept_id: string, minutes: number, due_at: Date): Promise<void> {
  const day = schoolDay(due_at)
  await db.insertInto('publishing_homework_hold').values({ school_id, post_id, dept_id, day, minutes, over_by: 0 }).execute()
  await db.insertInto('publishing_homework_day').values({ school_id, dept_id, day, minutes })
    .onConflict(clash => clash.columns(['school_id', 'dept_id', 'day']).doUpdateSet({ minutes: sql<number>`publishing_homework_day.minutes + ${minutes}::int` })).execute()
}

/** Whom the post went to, who has read it, and what the first of them answered. */
async function receive({ db, school_id, now }: Omit<Work, 'app'>, post_id: string, post: PlannedPost, sent_at: Date, readers: readonly Reader[]): Promise<void> {
  const later = (at: number) => new Date(sent_at.getTime() + (7 + at * 3) * minute_ms)
  const rows = readers.map((one, at) => {
    const is_read = one.user_id !== unbound && one.has_account && (at + 1) % post.unread_each !== 0
    return { ...one, read_at: is_read ? later(at) : null }
  })
  // One answer for each pupil, whichever of the family gives it.
  const of_each = new Map(rows.filter(row => row.read_at !== null).map(row => [row.subject_user_id, row]))
  const answering = new Map([...of_each.values()].slice(0, post.answers.length).map((row, at) => [row, post.answers[at] ?? {}]))
  await insertMany(db, 'publishing_recipient', rows.map(row => ({
    school_id, sent_month: `${monthOf(sent_at)}-01`, post_id, user_id: row.user_id, subject_user_id: row.subject_user_id, role: row.role, dept_id: row.dept_id, relation: row.relation, is_primary: row.is_primary,
    read_at: row.read_at, read_rev: row.read_at === null ? null : 1, submitted_at: answering.has(row) ? row.read_at : null, submit_rev: answering.has(row) ? 1 : null, late: answering.has(row) ? false : null,
    reach: row.has_account ? 1 : 2, reach_reason: row.user_id === unbound ? 2 : row.has_account ? null : 1,
  })), { columns: ['school_id', 'sent_month', 'post_id', 'user_id', 'subject_user_id'] })
  const days = post.check_in ? dueDays(post.check_in, new Map(), schoolDay(new Date(now.getTime() - day_ms))) : [null]
  const given = [...answering].flatMap(([{ user_id, subject_user_id, dept_id, read_at }, answers], person) =>
    days.flatMap((day, at) => {
      if (day !== null && at % left_out === person % left_out) return []
      const of = { school_id, post_id, user_id, subject_user_id, dept_id, rev: 1, late: false, state: 1, day }
      const content = day === null ? '' : '今天读了20分钟'
      return [{ ...of, answers: JSON.stringify(answers), content, at: day === null ? (read_at ?? sent_at) : new Date(`${day}T19:30:00+08:00`) }]
    }),
  )
  await insertMany(db, 'publishing_submission', given)
}

/** Writes honours as they were awarded, without their events. */
export async function createHonours({ db: handle, school_id, now }: Place, honours: readonly PlannedHonour[]): Promise<void> {
  await insertMany(asTables<PublishingDb>(handle), 'publishing_honour', honours.map(honour => ({ ...honour, school_id, rotating: honour.held_from !== null, created_at: now })))
}
