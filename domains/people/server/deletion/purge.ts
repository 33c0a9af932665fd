import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** What is printed where a deleted person's name stood. */
export const purged_name = '已注销人员'

type Whose = { school_id: number; user_id: string }

/** Rows of this domain that only say something about the person go. @returns how many */
export async function removeRows(db: Db, { school_id, user_id }: Whose): Promise<number> {
  let gone = 0
  const run = async (query: ReturnType<typeof sql>) => {
    gone += Number((await query.execute(db)).numAffectedRows ?? 0n)
  }
  const own = sql`school_id = ${school_id} and user_id = ${user_id}`
  await run(sql`delete from guardian_link where school_id = ${school_id} and (student_user_id = ${user_id} or parent_user_id = ${user_id})`)
  await run(sql`delete from person_vehicle where ${own}`)
  await run(sql`delete from tag_link where ${own}`)
  await run(sql`delete from delegate_dept where school_id = ${school_id} and (from_user_id = ${user_id} or to_user_id = ${user_id})`)
  await run(sql`delete from reveal_window where ${own}`)
  await run(sql`delete from addr_book_entry where ${own}`)
  await run(sql`delete from alipay_whitelist where school_id = ${school_id} and (user_id = ${user_id} or payer_user_id = ${user_id})`)
  await run(sql`delete from register_entry where school_id = ${school_id} and match_user_id = ${user_id}`)
  await run(sql`delete from collect_answer where ${own}`)
  await run(sql`update collect_answer set respondent_user_id = null where school_id = ${school_id} and respondent_user_id = ${user_id}`)
  await run(sql`delete from freshmen_apply where ${own}`)
  await run(sql`delete from merge_case where school_id = ${school_id} and (a_user_id = ${user_id} or b_user_id = ${user_id})`)
  await run(sql`update merge_moved v set before = null, after = null from merge_log m
    where v.school_id = ${school_id} and m.school_id = v.school_id and m.id = v.merge_id and (m.keep_user_id = ${user_id} or m.drop_user_id = ${user_id})`)
  await run(sql`update merge_log set chosen = '{}', snapshot = '{}', kept_id_no_enc = null where school_id = ${school_id} and (keep_user_id = ${user_id} or drop_user_id = ${user_id})`)
  await run(sql`update student_span set reason = null, to_where = null where ${own}`)
  await run(sql`update staff_span set reason = null, to_where = null where ${own}`)
  await run(sql`update dept_member set position = null where ${own}`)
  await run(sql`update change_subject set before = jsonb_set(before, '{rows}', '{}'), after = jsonb_set(after, '{rows}', '{}') where ${own}`)
  return gone
}

/** Of the person himself a shell stays, which the rows of the past can name. @returns how many rows were emptied */
export async function scrubPerson(db: Db, { school_id, user_id }: Whose, now: Date): Promise<number> {
  const own = sql`school_id = ${school_id} and user_id = ${user_id}`
  const emptied = [
    await sql`update student set student_no = 'X' || user_id, school_roll_no = null, health = null, blood = null, name_pinyin = null, former_name = null, native_place = null,
      birth_division = null, hukou_division = null, hukou = null, enrol_month = '190001', entry_way = null, study_method = null, source = null, only_child = null, preschool = null,
      left_behind = null, migrant_child = null, orphan = null, martyr_child = null, need_aid = null, boarding_aid = null, disability = null, distance_km = null,
      commute = null, by_bus = false, remark = null, ext = '{}' where ${own}`.execute(db),
    await sql`update staff set teacher_no = 'X' || user_id, bz = null, post = null, employ = null, edu = null, degree = null, title = null, stage = null, subject = null, cert = null,
      mandarin = null, work_month = null, join_month = '190001', remark = null, ext = '{}' where ${own}`.execute(db),
    await sql`update parent set work = null, edu = null where ${own}`.execute(db),
    await sql`update person set user_name = ${purged_name}, name_py = '', name_initials = '', sex = '0', id_type = null, id_no_enc = null, id_no_idx = null, id_no_mask = null,
      birthday = null, nation = null, country = null, gatqw = null, political = null, mobile = null, email = null, qq = null, tel = null, address = null,
      mail_address = null, home_address = null, postcode = null, photo_file_key = null, recog_pwd_enc = null, status = 'purged', merged_into = null,
      purged_at = coalesce(purged_at, ${now}), row_version = row_version + 1, updated_at = ${now}, updated_by = null where ${own}`.execute(db),
  ]
  return emptied.reduce((sum, { numAffectedRows = 0n }) => sum + Number(numAffectedRows), 0)
}
