import { comboName, electiveErrors } from '@campus/teaching/contract'
import type { choiceApi, electiveApi } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import type { Pre } from '@kit/server/http'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, TeachingCtx, TeachingDb } from '../db.ts'
import { drawKey, drawSeats, hashOfSeed } from './draw.ts'
import type { Drawn, DrawInput } from './draw.ts'
import { modes, seats, shown, stateAt } from './state.ts'
import { requireTask } from './task.queries.ts'
import type { Task } from './task.queries.ts'

const tail_length = 4
/** What the draw was computed from and what came of it: enough for anybody to do it again. */
const Proof = z.object({
  max_pick: z.number(), seats: z.record(z.string(), z.number()), apart: z.record(z.string(), z.array(z.string())),
  lines: z.array(z.object({ key: z.string(), tail: z.string(), wishes: z.array(z.string()), held: z.array(z.string()),
    won: z.array(z.string()) })),
})
type Line = { student_id: string; student_no: string; key: string; wishes: string[]; held: string[] }

/**
 * Draws once and for all: the order is everybody's own HMAC under the seed that was committed at the publication. @throws Refusal 404, 409
 * drawn, wrongState, 422 notLottery, notClosed
 */
export async function drawTask(ctx: TeachingCtx, id: string): Promise<Reply<typeof electiveApi.draw>> {
  const { db, school_id, now } = ctx
  const task = await requireTask(db, school_id, id, true)
  if (task.mode !== modes.lottery) throw fail(electiveErrors.notLottery)
  if (task.drawn_at !== null) throw fail(electiveErrors.drawn)
  const state = stateAt(task, now)
  if (state === shown.coming || state === shown.open) throw fail(electiveErrors.notClosed)
  if (state !== shown.closed || task.seed === null || hashOfSeed(task.seed) !== task.seed_hash) throw fail(electiveErrors.wrongState)
  const { won, lost } = await runDraw({ db, school_id, now, by_id: ctx.me.user_id }, task, task.seed)
  ctx.note({ target_kind: 'teaching.elective', target_id: id, target_name: `${task.name} 抽签`, after: { won, lost } })
  return { won, lost, seed: task.seed }
}

type Place = { db: Db; school_id: number; now: Date; by_id: string }

/** Draws a task by its seed and writes down what came of it, with the proof. */
export async function runDraw(place: Place, task: Task, seed: string): Promise<{ won: number; lost: number }> {
  const { db, school_id, now } = place
  const { input, lines } = await readInput(db, school_id, task, seed)
  const drawn = drawSeats(input)
  const by_key = new Map(lines.map(line => [line.key, line]))
  const proof = { ...input, lines: drawn
    .map(({ key, wishes }) => ({ key, tail: by_key.get(key)?.student_no.slice(-tail_length) ?? '', held: by_key.get(key)?.held ?? [],
    wishes: wishes.map(one => one.offer_id), won: wonOf(wishes) })) }
  await db.updateTable('elective_task').set({ drawn_at: now, proof: JSON.stringify(proof), row_version: task.row_version + 1 })
    .where('school_id', '=', school_id).where('id', '=', task.id).execute()
  await writeResults(place, task, drawn, by_key)
  return { won: drawn.reduce((sum, one) => sum + wonOf(one.wishes).length, 0), lost: drawn
    .filter(one => one.wishes.length > 0 && wonOf(one.wishes).length === 0).length }
}

const wonOf = (wishes: Drawn['wishes']) => wishes.filter(one => one.result === 'won').map(one => one.offer_id)

async function readInput(db: Db, school_id: number, task: Task, seed: string): Promise<{ input: DrawInput; lines: Line[] }> {
  const offers = await db.selectFrom('elective_offer').select(['id', 'capacity', 'taken', 'clashes', 'group_no'])
    .where('school_id', '=', school_id).where('task_id', '=', task.id).execute()
  const { rows } = await sql<{ student_id: string; student_no: string; wishes: string[] | null; held: string[] | null }>`
    select s.student_id::text as student_id, p.student_no,
      array_agg(s.offer_id::text order by s.rank) filter (where s.state = 2) as wishes, array_agg(s.offer_id::text order by s.offer_id) filter (where s.state = 1) as held
    from elective_seat s join student p on p.school_id = ${school_id} and p.user_id = s.student_id
    where s.school_id = ${school_id} and s.task_id = ${task.id} and s.state in (1, 2) group by s.student_id, p.student_no`.execute(db)
  const lines = rows.map(({ wishes, held, ...row }) => ({ ...row, key: drawKey(seed, task.id, row.student_no), wishes: wishes ?? [],
    held: held ?? [] }))
  const apart = offers.map(one => [one.id,
    [...new Set([...one.clashes, ...offers.filter(other => other.id !== one.id && one.group_no !== null && other.group_no === one.group_no)
    .map(other => other.id)])]] as const)
  return { lines, input: { max_pick: task.max_pick, seats: Object.fromEntries(offers.map(one => [one.id, one.capacity - one.taken])),
    apart: Object.fromEntries(apart), lines } }
}

async function writeResults({ db, school_id, now, by_id }: Place, task: Task, drawn: readonly Drawn[], by_key: ReadonlyMap<string, Line>): Promise<void> {
  const results = drawn
    .flatMap(({ key, order_no, wishes }) => wishes
    .map(({ offer_id, result }) => ({ student_id: by_key.get(key)?.student_id ?? '', order_no, offer_id, won: result === 'won',
    waits: result === 'full' && task.waitlist })))
  const queue = new Map<string, number>()
  for (const { student_id, order_no, offer_id, won, waits } of results) {
    const wait_no = waits ? (queue.get(offer_id) ?? 0) + 1 : null
    if (wait_no !== null) queue.set(offer_id, wait_no)
    const state = won ? seats.drawn : waits ? seats.waits : seats.lost
    await db.updateTable('elective_seat').set({ state, draw_no: order_no, wait_no, at: now }).where('school_id', '=', school_id)
      .where('task_id', '=', task.id).where('student_id', '=', student_id).where('offer_id', '=', offer_id).execute()
  }
  const won = Map.groupBy(results.filter(one => one.won), one => one.offer_id)
  for (const offer_id of new Set(results.map(one => one.offer_id))) {
    const waiting = queue.get(offer_id) ?? 0
    await db.updateTable('elective_offer')
      .set({ taken: sql<number>`taken + ${won.get(offer_id)?.length ?? 0}`, waitlisted: waiting, wait_seq: waiting })
      .where('school_id', '=', school_id).where('id', '=', offer_id).execute()
  }
  for (const [student_id, own] of Map.groupBy(results.filter(one => one.won), one => one.student_id)) {
    await db.updateTable('elective_student').set({ picks: sql<number>`picks + ${own.length}` }).where('school_id', '=', school_id)
      .where('task_id', '=', task.id).where('student_id', '=', student_id).execute()
  }
  await insertMany(db, 'elective_event', results
    .map(one => ({ school_id, task_id: task.id, student_id: one.student_id, offer_id: one.offer_id, action: one.won ? 'won' : 'lost',
    by_id, at: now })))
}

/**
 * The draw for anybody who has its address: hash before, seed and all lines afterwards, computed anew (chapter 50 rule 37). @throws Refusal
 * 404
 */
export async function verifyDraw(pre: Pre, code: string): Promise<Reply<typeof choiceApi.verify>> {
  const school_id = Number(/^(\d{1,9})-/u.exec(code)?.[1] ?? 0)
  return pre.own<TeachingDb, Reply<typeof choiceApi.verify>>(school_id, async db => {
    const task = await db.selectFrom('elective_task').select(['id', 'name', 'seed', 'seed_hash', 'drawn_at', 'proof', 'state'])
      .where('school_id', '=', school_id).where('proof_code', '=', code).executeTakeFirst()
    if (!task || task.seed_hash === null) throw fail(commonErrors.notFound)
    const offers = await db.selectFrom('elective_offer').select(['id', 'title', 'combo', 'capacity']).where('school_id', '=', school_id)
      .where('task_id', '=', task.id).orderBy('id').execute()
    const head = { name: task.name, seed_hash: task.seed_hash }
    if (task.drawn_at === null || task.seed === null) return { ...head, seed: null, is_right: null, offers: offers
      .map(one => ({ offer_id: one.id, title: titleOf(one), seats: one.capacity })), lines: [] }
    const proof = Proof.parse(task.proof)
    const again = drawSeats(proof)
    const tails = new Map(proof.lines.map(line => [line.key, line]))
    const lines = again.map(({ order_no, key, wishes }) => ({ order_no, key, tail: tails.get(key)?.tail ?? '', wishes: wishes
      .map(one => one.offer_id), won: wonOf(wishes) }))
    const is_right = hashOfSeed(task.seed) === task.seed_hash && lines.every(line => line.won.join() === tails.get(line.key)?.won.join())
    return { ...head, seed: task.seed, is_right, lines, offers: offers
      .map(one => ({ offer_id: one.id, title: titleOf(one), seats: proof.seats[one.id] ?? 0 })) }
  })
}

function titleOf({ title, combo }: { title: string; combo: string | null }): string {
  return combo === null ? title : comboName(combo)
}

/** A pupil's result in words: `第2志愿：报名61人，名额40，您的序号53` (chapter 50 §10.3). */
export async function explainDraw(db: Db, school_id: number, task: Task, student_id: string): Promise<string[]> {
  if (task.drawn_at === null) return []
  const stored = await db.selectFrom('elective_task').select('proof').where('school_id', '=', school_id).where('id', '=', task.id)
    .executeTakeFirstOrThrow()
  const proof = Proof.parse(stored.proof)
  const own = await db.selectFrom('elective_seat as s')
    .innerJoin('elective_offer as o', on => on.onRef('o.id', '=', 's.offer_id').on('o.school_id', '=', school_id))
    .select(['s.offer_id', 's.rank', 's.state', 's.draw_no', 'o.title'])
    .where('s.school_id', '=', school_id).where('s.task_id', '=', task.id).where('s.student_id', '=', student_id).where('s.rank', '>', 0)
      .orderBy('s.rank').execute()
  return own.map(({ offer_id, rank, state, draw_no, title }) => {
    const asked = proof.lines.filter(line => line.wishes[rank - 1] === offer_id).length
    return `第${rank}志愿「${title}」：报名${asked}人，名额${proof.seats[offer_id] ?? 0}，抽签序号${draw_no ?? ''}，${state === seats.drawn ? '中签' : state === seats.waits ? '候补' : '未中签'}`
  })
}
