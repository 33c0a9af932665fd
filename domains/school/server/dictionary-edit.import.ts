import { createHash } from 'node:crypto'
import { schoolEvents } from '@campus/school/contract'
import { importTemplate } from '@kit/server/excel'
import type { AppliedRow, ApplyRow, ApplyStep, ImportUndo, Judgement, ParsedRow, ReadStep } from '@kit/server/excel'
import { publish } from '@kit/server/event'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { SchoolDb } from './db.ts'
import { itemKey, listItems, listOwn, listTypes, removeOwn, writeItem } from './dictionary-edit.queries.ts'
import type { OwnItem, StoredItem } from './dictionary-edit.queries.ts'
import { checkItem, itemKeys, wordsOf } from './dictionary-edit.parsed.ts'
import type { ParsedItem, TypeWords } from './dictionary-edit.parsed.ts'

/** The items of the types that a piece of the sheet names. */
type Snapshot = { items: ReadonlyMap<string, StoredItem>; named: ReadonlyMap<string, string>; last: ReadonlyMap<string, number> }
type Step = ApplyStep<SchoolDb>

/** `own` null: the school had said nothing of the item; then `is_standard` tells whether it existed at all. */
const Before = z.object({ own: z.object({ name: z.string(), order: z.number(), enabled: z.boolean() }).nullable(), is_standard: z.boolean() })

const undo: ImportUndo<SchoolDb> = {
  marks: ({ db, school_id }, keys) => marksOf(db, school_id, keys),
  reason: () => '字典项在导入后已被修改',
  async undo(step, rows, kept) {
    const free = rows.filter(({ target_id, before }) => before !== null && !kept.has(target_id))
    const now = await listOwn(step.db, step.school_id, free.map(row => row.target_id))
    for (const { target_id, before } of free) {
      const current = now.get(target_id)
      const { own, is_standard } = Before.parse(before)
      if (!current) continue
      // A code that was given out stays taken (N6): what the import added is put out of use, not removed.
      const restored = own ?? (is_standard ? null : { ...current, enabled: false })
      if (restored) await writeItem(step.db, { ...current, ...restored, school_id: step.school_id, by: step.me.user_id, now: step.now })
      else await removeOwn(step.db, step.school_id, current)
    }
    await tell(step, [...now.values()])
  },
}

/** 字典项导入: one line an item of a type that a school may change. */
export const dictionaryTemplate = importTemplate<SchoolDb, TypeWords, ParsedItem, Snapshot>({
  code: 'dictionary_item',
  page: '/SchoolRecord',
  title: '字典项导入',
  file_name: '字典项导入模板.xlsx',
  sheet: '字典项导入',
  notes: [
    '填写说明：红色列为必填；按字典类型和代码匹配，已有的项改名、改顺序或启停，没有的项新增。标准字典不可修改。',
    '顺序、启用不填表示不修改，新增时排在最后并启用。撤销导入时，新增的项改为停用，其代码不再用作别的含义。',
  ],
  need: 'school.dict.import',
  words: async step => wordsOf(await listTypes(step.db, step.school_id)),
  columns: words => words.columns,
  check: (words, cells) => checkItem(words, cells),
  keys: parsed => itemKeys(parsed),
  load: (step, rows) => loadItems(step, rows),
  judge: (row, snapshot) => judgeItem(row, snapshot),
  apply: (step, rows, snapshot) => applyItems(step, rows, snapshot),
  undo,
})

async function loadItems({ db, school_id }: ReadStep<SchoolDb>, rows: readonly ParsedRow<ParsedItem>[]): Promise<Snapshot> {
  const items = await listItems(db, school_id, [...new Set(rows.map(row => row.parsed.sc_code_type))])
  const by_type = Map.groupBy(items, item => item.sc_code_type)
  return {
    items: new Map(items.map(item => [itemKey(item), item])),
    named: new Map(items.map(item => [`${item.sc_code_type}/${item.name}`, item.sc_code_item])),
    last: new Map([...by_type].map(([type, all]) => [type, Math.max(...all.map(item => item.order))])),
  }
}

function judgeItem({ parsed }: ParsedRow<ParsedItem>, { items, named }: Snapshot): Judgement {
  const key = itemKey(parsed)
  const known = items.get(key)
  const holder = named.get(`${parsed.sc_code_type}/${parsed.name}`)
  const errors = holder !== undefined && holder !== parsed.sc_code_item ? [{ prop: 'name', msg: '名称已存在' }] : []
  if (!known) return { verdict: 'new', target_id: null, diff: [], errors, warnings: [] }
  const { name, order = known.order, enabled = known.enabled } = parsed
  const told = [
    { prop: 'name', before: known.name, after: name },
    { prop: 'order', before: String(known.order), after: String(order) },
    { prop: 'enabled', before: known.enabled ? '是' : '否', after: enabled ? '是' : '否' },
  ]
  const diff = told.filter(({ before, after }) => before !== after)
  return { verdict: diff.length > 0 ? 'change' : 'same', target_id: key, diff, errors, warnings: [] }
}

async function applyItems(step: Step, rows: readonly ApplyRow<ParsedItem>[], { items, last }: Snapshot): Promise<AppliedRow[]> {
  const { db, school_id, me, now } = step
  const keys = rows.map(({ parsed }) => itemKey(parsed))
  const had = await listOwn(db, school_id, keys)
  const written = rows.filter(({ judgement }) => judgement.verdict !== 'same')
  for (const { parsed } of written) {
    const known = items.get(itemKey(parsed))
    const { order = known?.order ?? (last.get(parsed.sc_code_type) ?? 0) + 1, enabled = known?.enabled ?? true } = parsed
    await writeItem(db, { ...parsed, order: Math.min(order, 9999), enabled, school_id, by: me.user_id, now })
  }
  await tell(step, written.map(({ parsed }) => parsed))
  const marks = await marksOf(db, school_id, written.map(({ parsed }) => itemKey(parsed)))
  return rows.map(({ row_no, parsed, judgement }) => {
    const key = itemKey(parsed)
    if (judgement.verdict === 'same') return { row_no, target_id: key, before: null }
    const before = { own: had.get(key) ?? null, is_standard: items.get(key)?.standard_name !== undefined && items.get(key)?.standard_name !== null }
    return { row_no, target_id: key, before, touched: [{ key, mark: marks.get(key) ?? '' }] }
  })
}

async function marksOf(db: Kysely<SchoolDb>, school_id: number, keys: readonly string[]): Promise<Map<string, string>> {
  const own = await listOwn(db, school_id, keys)
  return new Map([...own].map(([key, item]) => [key, markOf(item)]))
}

function markOf({ name, order, enabled }: OwnItem): string {
  return createHash('sha256').update(JSON.stringify([name, order, enabled])).digest('base64url').slice(0, 22)
}

async function tell(step: Step, items: readonly { sc_code_type: string }[]): Promise<void> {
  for (const sc_code_type of new Set(items.map(item => item.sc_code_type))) await publish(step, schoolEvents.dictChanged, { sc_code_type })
}
