import { schoolErrors } from '@campus/school/contract'
import type { dictionaryEditApi } from '@campus/school/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { headedSheet } from '@kit/server/excel'
import type { SheetColumn } from '@kit/server/excel'
import type { FileReply, Pre } from '@kit/server/http'
import type { SchoolDb } from './db.ts'
import { listItems, listTypes } from './dictionary-edit.queries.ts'
import type { StoredItem } from './dictionary-edit.queries.ts'
import { findSchool } from './school.queries.ts'

type Line = StoredItem & { title: string; editable: boolean }
type Read = { lines: Line[]; title: string; school_name: string }

const columns: readonly SheetColumn<Line>[] = [
  { label: '字典类型', text: line => line.title },
  { label: '类型代码', text: line => line.sc_code_type },
  { label: '代码', text: line => line.sc_code_item },
  { label: '名称', text: line => line.name },
  { label: '顺序', numeric: true, text: line => String(line.order) },
  { label: '启用', text: line => (line.enabled ? '是' : '否') },
  { label: '来源', text: line => (line.own ? '本校' : '标准') },
  { label: '标准名称', text: line => line.standard_name ?? '' },
  { label: '可修改', text: line => (line.editable ? '是' : '否') },
]

/** The dictionary as the school sees it, or one type of it, as a sheet (chapter 10 §6, J3). @throws Refusal 404 for an unknown type */
export async function exportDictionary(pre: Pre, { sc_code_type }: Input<typeof dictionaryEditApi.export>): Promise<FileReply> {
  const { me, now } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  const { school_id } = me
  const { lines, title, school_name } = await pre.own<SchoolDb, Read>(school_id, async db => {
    const types = (await listTypes(db, school_id)).filter(type => sc_code_type === undefined || type.sc_code_type === sc_code_type)
    const by_code = new Map(types.map(type => [type.sc_code_type, type]))
    const items = await listItems(db, school_id, [...by_code.keys()])
    const all = Map.groupBy(items, item => item.sc_code_type)
    const told = types.flatMap(type => (all.get(type.sc_code_type) ?? []).map(item => ({ ...item, title: type.title, editable: type.editable })))
    return { lines: told, title: types[0]?.title ?? '', school_name: (await findSchool(db, school_id))?.school_name ?? '' }
  })
  if (lines.length === 0) throw fail(schoolErrors.dictTypeMissing)
  pre.note({ target_kind: 'dictionary_type', ...(sc_code_type ? { target_id: sc_code_type } : {}), target_name: `字典 ${lines.length}项` })
  return headedSheet({ title: '字典', school_name, me, now, conditions: sc_code_type === undefined ? [] : [`字典类型 ${title}`], unit: '项', columns, rows: lines })
}
