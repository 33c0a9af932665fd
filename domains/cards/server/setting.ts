import type { CardFormat } from '@kit/terminal-protocol/card'
import type { Db } from './db.ts'
import { usual_format } from './number.ts'

export type Setting = { card_format_id: string | null; slave_max: number; low_stock: number; self_loss: boolean; block_limit_s: number; deposit: number; reissue_fee: number; row_version: number }

/** What holds where a school has set nothing (chapter 40 §1.1). */
const usual: Setting = { card_format_id: null, slave_max: 2, low_stock: 50, self_loss: true, block_limit_s: 10, deposit: 0, reissue_fee: 0, row_version: 0 }

/** The school's settings of cards. */
export async function readSetting(db: Db, school_id: number): Promise<Setting> {
  const found = await db
    .selectFrom('card_setting')
    .select(['card_format_id', 'slave_max', 'low_stock', 'self_loss', 'block_limit_s', 'deposit', 'reissue_fee', 'row_version'])
    .where('school_id', '=', school_id)
    .executeTakeFirst()
  return found ?? usual
}

/** How the school writes numbers of cards. */
export async function readFormat(db: Db, school_id: number, setting: Pick<Setting, 'card_format_id'>): Promise<CardFormat> {
  if (setting.card_format_id === null) return usual_format
  const found = await db
    .selectFrom('card_format_v')
    .select(['input', 'byte_order', 'truncation', 'pad', 'upper'])
    .where('school_id', '=', school_id)
    .where('format_id', '=', setting.card_format_id)
    .executeTakeFirst()
  return found ? { ...usual_format, ...formatOf(found) } : usual_format
}

function formatOf({ input, byte_order, truncation, pad, upper }: { input: string; byte_order: string; truncation: string; pad: boolean; upper: boolean }): Partial<CardFormat> {
  const is_input = (text: string): text is CardFormat['input'] => ['hex', 'dec10', 'dec8', 'wg26', 'wg34'].includes(text)
  return {
    ...(is_input(input) ? { input } : {}),
    byte_order: byte_order === 'reversed' ? 'reversed' : 'as_is',
    truncation: truncation === '6' || truncation === '8' ? truncation : 'none',
    pad,
    upper,
  }
}
