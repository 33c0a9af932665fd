import { grade_codes } from '@campus/calendar/contract'
import { importTemplate } from '@kit/server/excel'
import type { CalendarDb } from '../db.ts'
import { applySpecials, judgeSpecial, loadSpecials, specialUndo } from './special.apply.ts'
import type { SpecialSnapshot } from './special.apply.ts'
import { checkSpecialRow, specialColumns, specialKeys } from './special.parsed.ts'
import type { ParsedSpecial, SpecialWords } from './special.parsed.ts'

/** 校历导入: one line a day or span that is set (chapter 50 §6). */
export const specialTemplate = importTemplate<CalendarDb, SpecialWords, ParsedSpecial, SpecialSnapshot>({
  code: 'calendar_special',
  page: '/SchoolCalendar',
  title: '校历导入',
  file_name: '校历导入模板.xlsx',
  sheet: '校历导入',
  notes: ['填写说明：红色列为必填；只能设置今天及以后的日期，同一天已有设置的行会报错。', '类型为“调休上班”时逐日填写，并可用“跟随日期”指定补哪一天的课。'],
  need: 'calendar.day.import',
  words: async ({ db, school_id }) => {
    const items = await db.selectFrom('dictionary_v').select(['sc_code_item', 'name']).where('school_id', '=', school_id).where('sc_code_type', '=', 'GRADE').where('sc_code_item', 'in', [...grade_codes]).orderBy('order').execute()
    return { grades: new Map(items.map(item => [item.name, item.sc_code_item])) }
  },
  columns: words => specialColumns(words),
  check: (words, cells) => checkSpecialRow(words, cells),
  keys: parsed => specialKeys(parsed),
  load: step => loadSpecials(step),
  judge: (row, snapshot) => judgeSpecial(row, snapshot),
  apply: (step, rows) => applySpecials(step, rows),
  undo: specialUndo,
})
