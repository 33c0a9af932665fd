import { GRADE } from '@campus/people/contract'
import { foldFullWidth, maskIdNo, maskMobile, parseIdCard } from '@kit/contract/checks'
import { labelsOn } from '../dept.service.ts'
import { parseKeyword } from '../keyword.ts'
import type { RosterDesk } from '../student.service.ts'

const dictionaries = ['SEX', 'ID_TYPE', 'STUDY_METHOD', 'STUDENT_STATE', 'PICKUP_RELATION', 'STAFF_KIND', 'STAFF_STATE', 'SUBJECT', 'TITLE_K12', 'DEPT_TYPE', 'CLASS_TYPE']
const school_zone_ms = 8 * 3_600_000

/** What the texts of a sheet depend on. */
export type RosterWords = {
  school_name: string
  /** name of a dictionary code; the code itself when it has none */
  name(type: string, code: string | null): string
  dept_name: string | null
}

/** Reads the words of a sheet; `dept_id` is the department of its filter. */
export async function rosterWords(desk: RosterDesk, dept_id: string | undefined, on: string): Promise<RosterWords> {
  const { db, school_id } = desk
  const school = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
  const items = await db.selectFrom('dictionary_v').select(['sc_code_type', 'sc_code_item', 'name']).where('school_id', '=', school_id).where('sc_code_type', 'in', dictionaries).execute()
  const names = new Map([...items.map(item => [`${item.sc_code_type}:${item.sc_code_item}`, item.name] as const), ...Object.entries(GRADE.names).map(([code, name]) => [`GRADE:${code}`, name] as const)])
  const labels = dept_id === undefined ? new Map<string, string>() : await labelsOn(desk, [dept_id], on)
  return {
    school_name: school.school_name,
    name: (type, code) => (code === null ? '' : (names.get(`${type}:${code}`) ?? code)),
    dept_name: labels.get(dept_id ?? '') ?? null,
  }
}

/** A search text for the head of a sheet: a whole resident number or mobile is masked, however it was typed. */
export function shownKeyword(keyword: string): string {
  const folded = foldFullWidth(keyword).trim()
  const read = parseKeyword(keyword)
  if (read?.kind === 'words' && read.mobile !== null) return maskMobile(read.mobile)
  return parseIdCard(folded) || read?.kind === 'id_no' ? maskIdNo(folded) : keyword
}

/** `2026-03-04 07:41` in the school's time zone. */
export function schoolMinute(at: Date): string {
  return new Date(at.getTime() + school_zone_ms).toISOString().slice(0, 16).replace('T', ' ')
}
