import { createDocuments, documentUse } from '@campus/people/server'
import { sql } from 'kysely'
import { drawFiles, keepDrawings } from './drawings.ts'
import type { Work } from './school-work.ts'

const material = '户口簿'
const [width, height] = [1100, 760]
/** Every so manieth family held its phone upright. */
const sideways = 3

/** What the families who wait for a decision have uploaded: drawings of a household register, with nothing to read on them. */
export async function fillPapers(work: Work): Promise<void> {
  const { db, school_id, now } = work
  const { rows } = await sql<{ id: string }>`select id::text as id from freshmen_apply where school_id = ${school_id} and state in ('1', '3') order by apply_no`.execute(db)
  const drawn = await drawFiles(school_id, rows.map(({ id }, at) => ({ apply_id: id, name: `${school_id}9${String(at).padStart(5, '0')}.jpg`, svg: drawing(at), ref: documentUse(id) })))
  await keepDrawings(work, 'material', drawn)
  await createDocuments(db, school_id, drawn.map(({ apply_id, file_key, mime }) => ({ apply_id, file_key, mime, material, order_no: 0, brought_at: now })))
}

/** An open double page: lines and a seal on either side, at times lying on its side. */
function drawing(at: number): string {
  const page = `<rect width="${width}" height="${height}" fill="#b9a48a"/>${leaf(30, at)}${leaf(560, at + 4)}`
  const is_upright = at % sideways !== sideways - 1
  const [wide, high, turned] = is_upright ? [width, height, page] : [height, width, `<g transform="translate(${height} 0) rotate(90)">${page}</g>`]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}">${turned}</svg>`
}

function leaf(x: number, at: number): string {
  const rows = Array.from({ length: 9 }, (_, n) => `<path d="M${x + 30} ${150 + n * 58}H${x + 480}" stroke="#7d8f86" stroke-width="2"/><rect x="${x + 50}" y="${118 + n * 58}" width="${110 + ((at + n) % 3) * 20}" height="14" fill="#53615a"/><rect x="${x + 230}" y="${118 + n * 58}" width="${90 + ((at * 3 + n * 5) % 6) * 24}" height="14" fill="#8c9690"/>`)
  return `<rect x="${x}" y="30" width="510" height="700" rx="6" fill="#f4f1e6"/>${rows.join('')}<circle cx="${x + 400}" cy="640" r="58" fill="none" stroke="#c0392b" stroke-width="7"/><circle cx="${x + 400}" cy="640" r="10" fill="#c0392b"/>`
}
