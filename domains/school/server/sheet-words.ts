import { asTables } from '@kit/server/db'
import type { WordContext } from '@kit/server/export'
import type { SchoolViews } from './tables.gen.ts'

/** What every exported sheet says of its school: its name, and the school's own names of dictionary codes. */
export const sheetWords = {
  async schoolName({ db, school_id }: WordContext): Promise<string> {
    const row = await asTables<SchoolViews>(db).selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirst()
    return row?.school_name ?? ''
  },
  async dictionaries({ db, school_id }: WordContext, types: readonly string[]): Promise<Map<string, Map<string, string>>> {
    const rows = await asTables<SchoolViews>(db)
      .selectFrom('dictionary_v')
      .select(['sc_code_type', 'sc_code_item', 'name'])
      .where('school_id', '=', school_id)
      .where('sc_code_type', 'in', types)
      .execute()
    const by_type = Map.groupBy(rows, row => row.sc_code_type)
    return new Map([...by_type].map(([type, items]) => [type, new Map(items.map(item => [item.sc_code_item, item.name]))]))
  },
}
