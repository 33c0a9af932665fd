import type { Db } from '../db.ts'

/** The school's own words for kinds of places, both ways. */
export async function placeWords({ db, school_id }: { db: Db; school_id: number }): Promise<{ kinds: ReadonlyMap<string, number>; names: ReadonlyMap<number, string> }> {
  const items = await db.selectFrom('dictionary_v').select(['sc_code_item', 'name']).where('school_id', '=', school_id).where('sc_code_type', '=', 'PLACE_KIND').orderBy('order').execute()
  return { kinds: new Map(items.map(item => [item.name, Number(item.sc_code_item)])), names: new Map(items.map(item => [Number(item.sc_code_item), item.name])) }
}
