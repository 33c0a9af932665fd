import { publishingErrors } from '@campus/publishing/contract'
import type { BoardPlan, PlayerPlan, playerApi } from '@campus/publishing/contract'
import { adopt, deviceOfSecret } from '@campus/devices/server'
import { openFile } from '@campus/files/server'
import { commonErrors, fail, Refusal } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { MinuteWindow } from '@kit/server/http'
import type { FileReply, Pre } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { sql } from 'kysely'
import type { Db, Work } from '../db.ts'
import { digestOf, headOf } from './board.service.ts'
import { Files } from './facts.ts'
import { notePlays } from './play-stat.service.ts'
import { compileBoards, withdrawn } from './plan.service.ts'
import { hearWords, noteContact } from './words.ts'

const most_tries = 5
/** Codes that one address may try in a minute: a school's boards are put up one by one. */
const most_codes = 20
const callers = new MinuteWindow()
const greatest_school = 2_147_483_647
const credential_shape = /^([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{20,100})$/

/**
 * Turns a code into the credential of its board, once. A wrong one counts against the code that it begins like, and against its caller
 * (chapter 60 §9, 28).
 * @throws Refusal 422 pairCode, boardCannotPair, 429 tooFast
 */
export async function pairPlayer(pre: Pre, { enrol_code }: Input<typeof playerApi.pair>): Promise<Reply<typeof playerApi.pair>> {
  const { app, now } = pre
  const wait = callers.hit(pre.request.ip, most_codes, now)
  if (wait > 0) throw fail(commonErrors.tooFast, { retry_after: wait })
  const [, school = ''] = /^(\d{1,10})-[A-Za-z0-9]{1,20}$/.exec(enrol_code) ?? []
  const school_id = Number(school)
  if (school === '' || school_id > greatest_school) throw fail(publishingErrors.pairCode)
  const device_id = await pre.own(school_id, (db: Db) => takeCode(db, { school_id, now, code: enrol_code }))
  if (device_id === null) throw fail(publishingErrors.pairCode)
  pre.note({ school_id, target_kind: 'publishing.board', target_id: device_id })
  return pre.own(school_id, async (db: Db) => {
    const { client_id, secret } = await adopt({ app, db, school_id, now }, device_id).catch((error: unknown) => {
      throw error instanceof Refusal ? fail(publishingErrors.boardCannotPair) : error
    })
    const said = { paired_at: now, contact_at: now }
    await db
      .insertInto('publishing_board')
      .values({ school_id, device_id, ...said })
      .onConflict(conflict => conflict.columns(['school_id', 'device_id']).doUpdateSet(said))
      .execute()
    const { device_name } = await db
      .selectFrom('device_live_v')
      .select('device_name')
      .where('school_id', '=', school_id)
      .where('device_id', '=', device_id)
      .executeTakeFirstOrThrow()
    return { credential: `${client_id}.${secret}`, device_id, device_name }
  })
}

async function takeCode(db: Db, { school_id, now, code }: { school_id: number; now: Date; code: string }): Promise<string | null> {
  const taken = await db
    .deleteFrom('publishing_pairing')
    .where('school_id', '=', school_id)
    .where('code_digest', '=', digestOf(code))
    .where('expires_at', '>', now)
    .where('tries', '<', most_tries)
    .returning('device_id')
    .executeTakeFirst()
  if (taken) return taken.device_id
  await db
    .updateTable('publishing_pairing')
    .set({ tries: sql<number>`tries + 1` })
    .where('school_id', '=', school_id)
    .where('code_head', '=', headOf(code))
    .where('expires_at', '>', now)
    .where('tries', '<', most_tries)
    .execute()
  return null
}

type Player = { school_id: number; device_id: string }

/** @throws Refusal 401 for what is no credential of a living device */
async function requirePlayer(pre: Pre): Promise<Player> {
  const [, client_id = '', secret = ''] = credential_shape.exec(pre.bearer) ?? []
  const player = client_id === '' ? null : await pre.own(0, (db: QueryExecutorProvider) => deviceOfSecret(db, { client_id, secret }))
  if (!player) throw fail(commonErrors.unauthorized)
  return player
}

/** The newest plan of the board that asks; made first where it has none. @throws Refusal 401, 404 */
export async function tellPlan(pre: Pre): Promise<PlayerPlan> {
  const { app, now } = pre
  const { school_id, device_id } = await requirePlayer(pre)
  return pre.own(school_id, async (db: Db) => {
    const work: Work = { app, db, school_id, now }
    await db
      .updateTable('publishing_board')
      .set({ contact_at: now })
      .where('school_id', '=', school_id)
      .where('device_id', '=', device_id)
      .execute()
    const plan =
      (await newestPlan(work, device_id)) ??
      ((await compileBoards(work, [device_id], '首次同步')) > 0 ? await newestPlan(work, device_id) : undefined)
    if (!plan) throw fail(commonErrors.notFound)
    return {
      plan_version: plan.version,
      plan_hash: plan.hash,
      plan: plan.body,
      files: plan.files,
      revoked: await withdrawn(work, device_id),
    }
  })
}

async function newestPlan({ db, school_id }: Work, device_id: string) {
  const { rows } = await sql<{ version: number; hash: string; body: BoardPlan; files: { sha256: string; mime: string; bytes: number }[] }>`
    select version::int as version, hash, body, files from publishing_plan where school_id = ${school_id} and device_id = ${device_id} and superseded_at is null`.execute(
    db,
  )
  return rows[0]
}

/** One file of the plans of the board that asks, in parts where it wants. @throws Refusal 401, 404 for a file of others */
export async function tellFile(pre: Pre, { sha256 }: Input<typeof playerApi.file>): Promise<FileReply> {
  const { school_id, device_id } = await requirePlayer(pre)
  const file_key = await pre.own(school_id, async (db: Db) => {
    const { rows } = await sql<{ files: unknown }>`
      select c.files from publishing_content c join publishing_delivery d on d.school_id = ${school_id} and d.content_id = c.content_id and d.device_id = ${device_id} and d.stop_requested_at is null
      where c.school_id = ${school_id} and ${sha256} = any(d.sha256s)`.execute(db)
    return rows.flatMap(row => Files.parse(row.files)).find(file => file.sha256 === sha256)?.file_key
  })
  if (file_key === undefined) throw fail(commonErrors.notFound)
  return openFile(pre, { school_id, file_key })
}

/** What the player says of its rows and of itself. @throws Refusal 401 */
export async function hearPlayer(
  pre: Pre,
  { epoch, words, status, plays }: Input<typeof playerApi.receipts>,
): Promise<Record<string, never>> {
  const { app, now } = pre
  const { school_id, device_id } = await requirePlayer(pre)
  await pre.own(school_id, async (db: Db) => {
    const work: Work = { app, db, school_id, now }
    await hearWords(
      work,
      device_id,
      words.map(word => ({ ...word, epoch, at: new Date(word.at) })),
    )
    await notePlays(work, device_id, plays)
    const { now_content_id, player_ver, secure_context } = status
    const is_known =
      now_content_id !== undefined &&
      (await db
        .selectFrom('publishing_delivery')
        .select('content_id')
        .where('school_id', '=', school_id)
        .where('device_id', '=', device_id)
        .where('content_id', '=', now_content_id)
        .executeTakeFirst()) !== undefined
    await noteContact(work, device_id, {
      contact_at: now,
      now_content_id: is_known ? now_content_id : null,
      ...(player_ver === undefined ? {} : { player_ver }),
      ...(secure_context === undefined ? {} : { secure_context }),
    })
  })
  return {}
}
