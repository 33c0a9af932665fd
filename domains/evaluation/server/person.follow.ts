import { peopleEvents } from '@campus/people/contract'
import type { Erase, MovedRow, Precheck, Rekey } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { consume } from '@kit/server/event'
import { sql } from 'kysely'
import { closeAppealsOf } from './appeal.service.ts'
import { endPosts } from './committee.service.ts'
import type { Db, EvaluationDb } from './db.ts'
import { settleLevels } from './levels.service.ts'

const title = '评星与班委'
const tables = ['star_record', 'star_appeal', 'star_opt_out', 'class_committee', 'star_ranking', 'star_count', 'star_level'] as const
const stays = { star_appeal: '申诉记录按当时的人保存', star_ranking: '已结算的排行不改写', star_count: '次数额度按当时的人计算', star_level: '等级由评星重算' } as const
const People = peopleEvents.personDeparted.payload.pick({ user_ids: true })

/** Who left or moved holds no post of the old class; open appeals of leavers are over (chapter 55 §7). */
export const evaluationConsumers = [
  consume('evaluation.person_departed', peopleEvents.personDeparted.name, People, async ({ app, db, school_id, now }, { user_ids }) => {
    const work = { app, db: asTables<EvaluationDb>(db), school_id, now }
    await endPosts(work, user_ids)
    await closeAppealsOf(work, user_ids)
  }),
  consume(
    'evaluation.person_moved',
    peopleEvents.personMoved.name,
    peopleEvents.personMoved.payload.pick({ people: true }),
    ({ app, db, school_id, now }, { people }) =>
      endPosts(
        { app, db: asTables<EvaluationDb>(db), school_id, now },
        people.map(one => one.user_id),
      ),
  ),
]

const movedRow = (table_name: string, row_key: string, drop_user_id: string): MovedRow => ({
  table_name,
  row_key,
  column_name: table_name === 'star_record' ? 'subject_id' : 'user_id',
  old_user_id: drop_user_id,
})

/** Stars and posts of two files that turn out to be one person. Posts that both hold at once stay where they are. */
export const evaluationRekey: Rekey = {
  domain: 'evaluation',
  title,
  tables: [...tables],
  stays,
  async preview({ db, school_id, drop_user_id }) {
    const { rows: [row] } = await sql<{ n: number }>`
      select count(*)::int as n from star_record r where r.school_id = ${school_id} and r.subject_kind = 1
      and r.subject_id = ${drop_user_id}`.execute(db)
    return { moves: row && row.n > 0 ? [{ title: '评星', count: row.n }] : [], conflicts: [] }
  },
  async apply({ db: handle, school_id, keep_user_id, drop_user_id }) {
    const db = asTables<EvaluationDb>(handle)
    const stars = await db
      .updateTable('star_record')
      .set({ subject_id: keep_user_id })
      .where('school_id', '=', school_id)
      .where('subject_kind', '=', 1)
      .where('subject_id', '=', drop_user_id)
      .returning('record_id')
      .execute()
    const { rows: posts } = await sql<{ committee_id: string }>`
      select c.committee_id::text as committee_id from class_committee c where c.school_id = ${school_id}
        and c.user_id = ${drop_user_id} and not exists (
        select 1 from class_committee o where o.school_id = ${school_id} and o.user_id = ${keep_user_id} and o.dept_id = c.dept_id
          and o.post_code = c.post_code and o.valid && c.valid)`.execute(db)
    await movePosts(
      db,
      school_id,
      posts.map(one => one.committee_id),
      keep_user_id,
    )
    const { rows: shown } = await sql<{ valid_from: string }>`
      select o.valid_from::text as valid_from from star_opt_out o where o.school_id = ${school_id} and o.user_id = ${drop_user_id}
        and not exists (
        select 1 from star_opt_out k where k.school_id = ${school_id} and k.user_id = ${keep_user_id} and k.valid && o.valid)`.execute(db)
    for (const { valid_from } of shown) await moveChoice(db, school_id, valid_from, drop_user_id, keep_user_id)
    await settleLevels({ db, school_id }, { subject_ids: [keep_user_id, drop_user_id] })
    return [
      ...stars.map(one => movedRow('star_record', one.record_id, drop_user_id)),
      ...posts.map(one => movedRow('class_committee', one.committee_id, drop_user_id)),
      ...shown.map(one => movedRow('star_opt_out', one.valid_from, drop_user_id)),
    ]
  },
  async undo({ db: handle, school_id, keep_user_id, drop_user_id }, rows) {
    const db = asTables<EvaluationDb>(handle)
    const keys = (table: string) => rows.filter(row => row.table_name === table).map(row => row.row_key)
    await db
      .updateTable('star_record')
      .set({ subject_id: drop_user_id })
      .where('school_id', '=', school_id)
      .where('record_id', 'in', ['0', ...keys('star_record')])
      .execute()
    await movePosts(db, school_id, keys('class_committee'), drop_user_id)
    for (const valid_from of keys('star_opt_out')) await moveChoice(db, school_id, valid_from, keep_user_id, drop_user_id)
    await settleLevels({ db, school_id }, { subject_ids: [keep_user_id, drop_user_id] })
    return []
  },
  mark: () => Promise.resolve(null),
}

async function movePosts(db: Db, school_id: number, ids: readonly string[], to: string): Promise<void> {
  await db
    .updateTable('class_committee')
    .set({ user_id: to })
    .where('school_id', '=', school_id)
    .where('committee_id', 'in', ['0', ...ids])
    .execute()
}

async function moveChoice(db: Db, school_id: number, valid_from: string, from: string, to: string): Promise<void> {
  await db
    .updateTable('star_opt_out')
    .set({ user_id: to })
    .where('school_id', '=', school_id)
    .where('user_id', '=', from)
    .where('valid_from', '=', valid_from)
    .execute()
}

/** Words about the person go, his stars stay as numbers (chapter 55 §7 erase). */
export const evaluationErase: Erase = {
  domain: 'evaluation',
  title,
  stage: 'rows',
  tables: [...tables],
  stays: { ...stays, star_record: '只留编号和分值，供统计', class_committee: '只留任职时间，供统计', star_opt_out: '只留起止时间' },
  async erase({ db: handle, school_id, user_id }) {
    const db = asTables<EvaluationDb>(handle)
    const stars = await db
      .updateTable('star_record')
      .set({ reason: '已清除', file_keys: [], decide_reason: null })
      .where('school_id', '=', school_id)
      .where('subject_kind', '=', 1)
      .where('subject_id', '=', user_id)
      .where('reason', '<>', '已清除')
      .executeTakeFirstOrThrow()
    const appeals = await db
      .updateTable('star_appeal')
      .set({ text: '已清除', opinion: null })
      .where('school_id', '=', school_id)
      .where('asked_by', '=', user_id)
      .where('text', '<>', '已清除')
      .executeTakeFirstOrThrow()
    const choices = await db
      .updateTable('star_opt_out')
      .set({ reason: '已清除' })
      .where('school_id', '=', school_id)
      .where('user_id', '=', user_id)
      .where('reason', '<>', '已清除')
      .executeTakeFirstOrThrow()
    const count = Number(stars.numUpdatedRows) + Number(appeals.numUpdatedRows) + Number(choices.numUpdatedRows)
    return count === 0 ? [] : [{ store: 'db:evaluation', title, action: 'anonymised', acked: true, evidence: `${count} 行` }]
  },
}

/** 申诉未结: what a deletion has to settle first. */
export const evaluationPrecheck: Precheck = {
  code: 'evaluation.appeal',
  title: '未结的评星申诉',
  level: 'warn',
  async find({ db, school_id }, user_ids) {
    const { rows } = await sql<{ user_id: string; n: number }>`
      select r.subject_id::text as user_id, count(*)::int as n from star_appeal a join star_record r on r.school_id = ${school_id}
        and r.record_date = a.record_date and r.record_id = a.record_id
      where a.school_id = ${school_id} and a.state = 0 and r.subject_kind = 1 and r.subject_id = any(${[...user_ids]}::bigint[])
      group by r.subject_id`.execute(db)
    return rows.map(({ user_id, n }) => ({ user_id, action: `有${n}条评星申诉未处理`, link: '/StartRecord' }))
  },
}
