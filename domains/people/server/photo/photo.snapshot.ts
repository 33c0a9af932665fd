import { broughtBy } from '@campus/files/server'
import type { ParsedRow, ReadStep } from '@campus/jobs/server'
import { holdsName, isSameName, nameKey, numberKey } from '@kit/contract/checks'
import { sql } from 'kysely'
import { oneOf, validOn } from '../dated.ts'
import type { Db, PeopleDb } from '../db.ts'
import { indexIdNo } from '../id-number.ts'
import type { IdKeys } from '../id-number.ts'
import { readStaffWords } from '../import/staff.words.ts'
import { student_columns } from '../import/student.columns.ts'
import { readWords } from '../import/words.ts'
import type { DeptScope } from '../scope.ts'
import { brought_kind } from './photo.columns.ts'
import { isOtherName, photoName } from './photo-name.ts'
import type { PhotoCode } from './photo.columns.ts'

/** A line of the list. */
export type ParsedPhoto = { file: string; who: string; photo: string }

/** Departments as a file name may call them, and how far the importer sees. */
export type PhotoWords = { code: PhotoCode; today: string; keys: IdKeys; scope: DeptScope; names: ReadonlyMap<string, readonly string[]> }

/** Somebody who is here, with his number and departments. */
export type Sitter = { user_id: string; user_name: string; no: string; id_idx: string | null; photo_file_key: string | null; row_version: number; dept_ids: readonly string[] }

export type PhotoSnapshot = { words: PhotoWords; sitters: readonly Sitter[]; brought: ReadonlySet<string> }

/** Reads how departments are called: of pupils classes, of staff departments. */
export async function photoWords(step: ReadStep<PeopleDb>, code: PhotoCode): Promise<PhotoWords> {
  const said = code === 'student_photo' ? await readWords(step, student_columns) : await readStaffWords(step)
  const listed = 'classes' in said ? said.classes.map(one => ({ ...one, more: [one.own_name] })) : said.depts.map(one => ({ ...one, more: [] }))
  const names = new Map(listed.map(({ dept_id, dept_name, label, path, more }) => [dept_id, [dept_name, label, path, ...more]]))
  return { code, today: said.today, keys: said.keys, scope: said.scope, names }
}

/** Everybody whom these lines may mean, and which of the pictures the importer has brought himself. */
export async function loadPhotos(step: ReadStep<PeopleDb>, code: PhotoCode, rows: readonly ParsedRow<ParsedPhoto>[]): Promise<PhotoSnapshot> {
  const { db, school_id, me } = step
  const words = await photoWords(step, code)
  const said = rows.map(row => photoName(row.parsed.who))
  const texts = [...new Set(said.flatMap(({ whole, numbers }) => [whole, ...numbers]))]
  const asked = { nos: texts, id_idxs: texts.map(text => indexIdNo(words.keys, text)), names: said.flatMap(({ pairs }) => pairs.flatMap(pair => nameKey(pair.user_name) || [])) }
  const found = await peopleBy(db, school_id, code, asked)
  const here = await deptsToday(db, school_id, code, found.map(person => person.user_id), words.today)
  const sitters = found.flatMap(({ id_no_idx, ...person }) => {
    const dept_ids = here.get(person.user_id)
    return dept_ids ? [{ ...person, id_idx: id_no_idx?.toString('hex') ?? null, dept_ids }] : []
  })
  return { words, sitters, brought: await broughtBy(db, { school_id, ref_kind: brought_kind, user_id: me.user_id }, rows.map(row => row.parsed.photo)) }
}

/** Number before document before class and name before a number among other words; nobody beyond the scope. */
export function meantBy({ who }: ParsedPhoto, { sitters, words }: PhotoSnapshot): Sitter[] {
  const { scope, names, keys } = words
  const seen = sitters.filter(one => scope === 'all' || one.dept_ids.some(id => scope.includes(id)))
  const { whole, numbers, pairs } = photoName(who)
  const isPair = (one: Sitter, { dept, user_name }: (typeof pairs)[number]) =>
    isSameName(one.user_name, user_name) && one.dept_ids.some(id => names.get(id)?.some(name => isSameName(name, dept)))
  const byNumber = (text: string) => {
    const by_no = seen.filter(one => numberKey(one.no) === numberKey(text))
    if (by_no.length > 0) return by_no
    const id_idx = indexIdNo(keys, text).toString('hex')
    return seen.filter(one => one.id_idx === id_idx)
  }
  const exact = byNumber(whole)
  if (exact.length > 0) return exact
  const named = seen.filter(one => pairs.some(pair => isPair(one, pair)))
  if (named.length > 0) return named
  const found = new Set(numbers.flatMap(byNumber))
  const agreeing = [...found].filter(one => holdsName(whole, one.user_name))
  return agreeing.length > 0 ? agreeing : [...found]
}

/** Does the file name somebody else beside the number of this person? */
export function namesAnother({ who }: ParsedPhoto, sitter: Sitter, { words }: PhotoSnapshot): boolean {
  return isOtherName(photoName(who), sitter.user_name, new Set(sitter.dept_ids.flatMap(id => words.names.get(id) ?? [])))
}

type Asked = { nos: readonly string[]; id_idxs: readonly Buffer[]; names: readonly string[] }

async function peopleBy(db: Db, school_id: number, code: PhotoCode, { nos, id_idxs, names }: Asked) {
  const [table, number] = code === 'student_photo' ? (['student', 'student_no'] as const) : (['staff', 'teacher_no'] as const)
  const { rows } = await sql<Omit<Sitter, 'id_idx' | 'dept_ids'> & { id_no_idx: Buffer | null }>`
    select p.user_id, p.user_name, s.${sql.ref(number)} as no, p.id_no_idx, p.photo_file_key, p.row_version
    from ${sql.table(table)} s join person p on p.school_id = s.school_id and p.user_id = s.user_id
    where s.school_id = ${school_id} and p.school_id = ${school_id} and p.status = 'live'
      and (s.${sql.ref(`${number}_lower`)} = any(${nos.map(numberKey)}::text[]) or p.id_no_idx = any(${[...id_idxs]}::bytea[]) or p.name_key = any(${[...new Set(names)]}::text[]))`.execute(db)
  return rows
}

/** Departments of those who are here today; whoever is on no roll is absent. */
async function deptsToday(db: Db, school_id: number, code: PhotoCode, user_ids: readonly string[], today: string): Promise<Map<string, string[]>> {
  const span = code === 'student_photo' ? 'student_span' : 'staff_span'
  const kind = code === 'student_photo' ? 'student' : 'staff'
  const { rows: here } = await sql<{ user_id: string }>`select t.user_id from ${sql.table(span)} t where t.school_id = ${school_id} and ${oneOf('t.user_id', user_ids)} and ${validOn('t', today)}`.execute(db)
  const depts = await db
    .selectFrom('dept_member as m')
    .select(['m.user_id', 'm.dept_id'])
    .where('m.school_id', '=', school_id)
    .where('m.member_kind', '=', kind)
    .where(oneOf('m.user_id', user_ids))
    .where(validOn('m', today))
    .execute()
  const by_user = Map.groupBy(depts, row => row.user_id)
  return new Map(here.map(({ user_id }) => [user_id, (by_user.get(user_id) ?? []).map(row => row.dept_id)]))
}
