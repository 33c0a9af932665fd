import { bus_kind, campus_kind } from '@campus/places/contract'
import { importTemplate } from '@kit/server/excel'
import type { PlacesDb } from '../db.ts'
import { applyPlaces } from './place.apply.ts'
import { judgePlace, loadPlaces, placeTally } from './place.judge.ts'
import type { PlaceSnapshot } from './place.judge.ts'
import { checkPlace, placeColumns, placeKeys } from './place.parsed.ts'
import type { ParsedPlace, PlaceWords } from './place.parsed.ts'
import { placeUndo } from './place.undo.ts'
import { placeWords } from './place.words.ts'

const made_elsewhere: readonly number[] = [campus_kind, bus_kind]

/** 场所导入: one line a place, named by its whole path (chapter 30 §6). */
export const placeTemplate = importTemplate<PlacesDb, PlaceWords, ParsedPlace, PlaceSnapshot>({
  code: 'place',
  page: '/PlaceManage',
  title: '场所导入',
  file_name: '场所导入模板.xlsx',
  sheet: '场所导入',
  notes: [
    '填写说明：红色列为必填；按“上级场所全路径/场所名称”匹配，已有的场所修改类型、容纳人数和班级（空单元格不修改），没有的新增。',
    '上级场所须已存在，或由本表其他行新增（超过500行时请写在前面）。校区请先在页面上新增；宿舍房间、卫生间、浴室自动成为私密区域。',
  ],
  need: 'places.place.import',
  words: async step => {
    const { kinds } = await placeWords(step)
    return { kinds: new Map([...kinds].filter(([, kind]) => !made_elsewhere.includes(kind))) }
  },
  columns: words => placeColumns(words),
  check: (words, cells) => checkPlace(words, cells),
  keys: parsed => placeKeys(parsed),
  tally: parsed => placeTally(parsed),
  load: async (step, rows) => loadPlaces(step, rows, (await placeWords(step)).names),
  judge: (row, snapshot, counted) => judgePlace(row, snapshot, counted),
  apply: (step, rows, snapshot) => applyPlaces(step, rows, snapshot),
  undo: placeUndo,
})
