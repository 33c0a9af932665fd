import { createPhotos } from '@campus/people/server'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { drawFiles, keepDrawings } from './drawings.ts'
import type { Drawing } from './drawings.ts'
import type { Work } from './school-work.ts'

const ref_kind = 'demo.photo'
const faces_each = 12
const [width, height] = [240, 320] as const
/** The primary school has had its day of photographs. */
const photographed_stage = '1'
/** Every so manieth pupil has not brought a photo yet. */
const without = 26
/** So many of them also pass by their face: the first class has begun. */
const faces_declared = 24
const skins = ['#f6d7bd', '#efc7a4', '#e3b48d', '#f3cfb3'] as const
const hairs = ['#2b2320', '#3a2c25', '#1f1d22'] as const
const grounds = ['#4a86d8', '#e8eef7', '#c23b3b'] as const

/** Drawn portraits of nobody, a dozen for boys and a dozen for girls. */
export function drawPortraits(school_id: number): Promise<Drawing[]> {
  return drawFiles(school_id, ['1', '2'].flatMap(sex => Array.from({ length: faces_each }, (_, at) => ({ name: `${school_id}7${sex}${String(at).padStart(4, '0')}.jpg`, svg: portraitOf(sex, at) }))))
}

/** The portraits are shared by the pupils of the primary school; one in a few has none yet, nor have the others, whose day of photographs is to come. */
export async function fillPhotos(work: Work, portraits: readonly Drawing[]): Promise<void> {
  const { db, school_id } = work
  const faceOf = (sex: string, n: number) => portraits[(sex === '2' ? faces_each : 0) + (n % faces_each)]
  await keepDrawings(work, 'avatar', portraits.map((drawing, at) => ({ ...drawing, ref: { ref_kind, ref_id: String(at) } })))
  const sitting = await sittingPupils(db, school_id)
  const shared = Map.groupBy(sitting, ({ sex, n }) => faceOf(sex, n)?.file_key ?? '')
  await createPhotos(work, new Map([...shared].map(([file_key, pupils]) => [file_key, pupils.map(({ user_id }) => user_id)])))
}

/** Who has a photograph, in the order of their numbers. */
async function sittingPupils(db: QueryExecutorProvider, school_id: number): Promise<{ user_id: string; sex: string; n: number }[]> {
  const { rows } = await sql<{ user_id: string; sex: string; n: number }>`
    select s.user_id::text, s.sex, (row_number() over (order by s.student_no))::int as n from live_student s where s.school_id = ${school_id} and s.stage = ${photographed_stage}`.execute(db)
  return rows.filter(({ n }) => n % without !== 0)
}

/** Whose faces terminals are given, the first ones first. */
export async function facedPupils(db: QueryExecutorProvider, school_id: number): Promise<string[]> {
  return (await sittingPupils(db, school_id)).slice(0, faces_declared).map(pupil => pupil.user_id)
}

/** Head and shoulders in a school jersey before a plain ground. */
export function portraitOf(sex: string, at: number): string {
  const pick = <T>(list: readonly T[], step: number): T | undefined => list[(at * step + Number(sex)) % list.length]
  const [skin, hair, ground] = [pick(skins, 3), pick(hairs, 5), pick(grounds, 7)]
  const is_girl = sex === '2'
  const face_y = 138 + (at % 3) * 2
  const back = is_girl ? `<path d="M66 ${face_y}q-6 ${92 + (at % 4) * 10} 16 ${104 + (at % 4) * 8}h76q22 -30 16 -${104 + (at % 4) * 8}z" fill="${hair}"/>` : ''
  const fringe = `<path d="M64 ${face_y}q0 -${74 + (at % 3) * 4} 56 -${74 + (at % 3) * 4}t56 ${74 + (at % 3) * 4}q-10 -${30 + (at % 4) * 4} -${30 + (at % 5) * 6} -36q-52 ${10 + (at % 3) * 4} -82 36z" fill="${hair}"/>`
  const eyes = `<circle cx="100" cy="${face_y + 6}" r="5" fill="#26211f"/><circle cx="140" cy="${face_y + 6}" r="5" fill="#26211f"/><path d="M108 ${face_y + 34}q12 ${6 + (at % 4) * 2} 24 0" fill="none" stroke="#9a4f45" stroke-width="4" stroke-linecap="round"/>`
  const body = `<path d="M28 320q4 -82 70 -92h44q66 10 70 92z" fill="#27477f"/><path d="M98 228l22 34 22 -34z" fill="#fff"/><rect x="104" y="${face_y + 44}" width="32" height="52" fill="${skin}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${ground}"/>${back}${body}<ellipse cx="120" cy="${face_y}" rx="54" ry="64" fill="${skin}"/>${fringe}${eyes}</svg>`
}
