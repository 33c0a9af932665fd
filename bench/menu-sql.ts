import type { Query } from './query.ts'

/** What the product reads for a menu, by hand: the school, what it says of its pages and modules, and the chosen quick row. */
const statements = [
  'select * from school where school_id = $1',
  'select * from school_module where school_id = $1 order by module_code, valid_from',
  'select nav_id, show_name, icon, "order", hidden from school_nav where school_id = $1',
  "select user_id, value from user_pref where school_id = $1 and pref_key = 'quick_navs'",
]

/** Sends the statements of a menu one after the other. @returns the rows of each */
export async function bareMenu(query: Query, school_id: number): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for (const text of statements) found.push(await query(text, [school_id]))
  return found
}
