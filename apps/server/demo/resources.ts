import { createHash } from 'node:crypto'
import { keepAllMade } from '@campus/files/server'
import { createResources } from '@campus/publishing/server'
import type { PlannedResource } from '@campus/publishing/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { drawFiles, keepDrawings, made_by } from './drawings.ts'
import type { Work } from './school-work.ts'

const albums = [
  ['秋季运动会', ['开幕式', '接力赛', '跳远', '拔河', '颁奖', '合影']],
  ['校园风光', ['教学楼', '操场', '图书馆', '银杏大道', '食堂', '校门']],
  ['班级文化', ['读书角', '黑板报', '植物角', '荣誉墙']],
] as const
const colors = ['#0958d9', '#389e0d', '#d46b08', '#c41d7f', '#531dab', '#08979c'] as const
const shown_rooms = 3
const usage_terms = [
  '校园班牌使用须知',
  '',
  '一、班牌由班主任负责日常维护，不得随意断电或移动。',
  '二、在“教育资源管理”中发布的图片会自动下发到所选教室。',
  '三、取消发布后不可恢复，需要时请重新发布。',
  '四、发现画面异常请在“设备管理”中报修。',
].join('\n')

/** Pictures, a text and a PDF in the libraries, some of them shown in rooms (chapter 60 §8). */
export async function fillResources(work: Work, created_by: string): Promise<void> {
  const { db, school_id } = work
  const { rows: rooms } = await sql<{ id: string }>`
    select p.place_id::text as id from place_live_v p
    where p.school_id = ${school_id} and p.is_leaf and p.dept_id is not null order by p.node_path limit ${shown_rooms}`.execute(db)
  const place_ids = rooms.map(room => room.id)
  const sketches = albums.flatMap(([folder, names], album) =>
    names.map((title, at) => ({ folder, title, name: `library-${album}-${at}.jpg`, svg: drawingOf(title, album * names.length + at) })),
  )
  const drawn = await drawFiles(school_id, sketches)
  const texts = textsOf(school_id)
  const pictures = drawn.map((one, at): PlannedResource => {
    const is_picture = at % 2 === 0
    const facts = { bytes: one.bytes.length, mime: one.mime, width: one.width, height: one.height, sha256: one.sha256 }
    const words = { resource_type: 1, folder: one.folder, resource_name: one.title, cdn_name: one.file_key }
    return { ...facts, ...words, is_picture, created_by, place_ids: is_picture ? place_ids : [] }
  })
  const words = texts.map((file): PlannedResource => {
    const sha256 = createHash('sha256').update(file.bytes).digest('hex')
    const facts = { bytes: file.bytes.length, mime: file.mime, width: null, height: null, sha256 }
    return { ...facts, resource_type: 3, folder: '教学管理', resource_name: file.title, cdn_name: file.file_key, is_picture: false, created_by, place_ids: [] }
  })
  const ids = await createResources(work, [...pictures, ...words])
  const refOf = (file_key: string) => ({ ref_kind: 'publishing.resource', ref_id: ids.get(file_key) ?? '' })
  await keepDrawings(work, 'resource', drawn.map(one => ({ ...one, ref: refOf(one.file_key) })))
  const made = texts.map(({ file_key, bytes }) => ({ file_key, purpose: 'resource' as const, bytes, ref: refOf(file_key) }))
  await keepTexts(work, made)
}

async function keepTexts(work: Work, made: Parameters<typeof keepAllMade>[3]): Promise<void> {
  const own = <DB, R>(_school: number, fn: (handle: Kysely<DB>) => Promise<R>) => fn(asTables<DB>(work.db))
  const enter = await keepAllMade({ app: work.app, own, now: work.now }, work.school_id, made_by, made)
  await enter(work)
}

function textsOf(school_id: number) {
  const plan = ['期末复习安排', '语文：第一周至第二周', '数学：第二周至第三周', '英语：第三周', '各班请按计划安排复习，注意劳逸结合。']
  const files = [
    { title: '班牌使用须知', name: 'library-terms.txt', bytes: Buffer.from(usage_terms), mime: 'text/plain' },
    { title: '期末复习安排', name: 'library-plan.pdf', bytes: pdfOf(plan), mime: 'application/pdf' },
  ]
  return files.map(file => ({ ...file, file_key: `${school_id}/${made_by}/20260901/${file.name}` }))
}

/** A pattern with its name: of nobody and nothing real. */
function drawingOf(title: string, at: number): string {
  const color = colors[at % colors.length] ?? colors[0]
  const rings = Array.from(
    { length: 5 },
    (_, ring) =>
      `<circle cx="${120 + ((at * 90) % 480)}" cy="200" r="${40 + ring * 45}" fill="none" stroke="#fff" stroke-width="3" opacity="${0.6 - ring * 0.1}"/>`,
  ).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="405"><rect width="720" height="405" fill="${color}"/>${rings}<text x="360" y="230" font-size="64" fill="#fff" text-anchor="middle" font-family="sans-serif">${title}</text></svg>`
}

/** A page of Chinese in a font that is not inside: readers take the tables of characters for it. */
function pdfOf(lines: readonly string[]): Buffer {
  const shown = lines
    .map((line, at) => `${at === 0 ? '/F1 22 Tf' : '/F1 14 Tf'} <${Buffer.from(line, 'utf16le').swap16().toString('hex')}> Tj 0 -32 Td`)
    .join('\n')
  const content = `BT 72 760 Td\n${shown}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> /FontDescriptor 7 0 R /DW 1000 >>',
    '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const table = places.map(place => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  return Buffer.from(
    `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}
