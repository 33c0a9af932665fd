import type { CatalogueColumn, CatalogueTable } from '@kit/server/db'
import pg from 'pg'

/** Tables that grow with people and days; all others stay as small as a school's settings. */
const growing_tables: ReadonlySet<string> = new Set([
  'person', 'student', 'staff', 'parent', 'student_span', 'staff_span', 'dept_member', 'guardian_link', 'school_user', 'tag_link',
  'access_pass', 'access_abnormal', 'access_grant', 'pass_event', 'temporary_rule', 'user_rule', 'visitor', 'visitor_apply', 'pickup_event', 'door_command',
  'card', 'card_holding', 'card_op', 'card_read_event', 'card_sighting', 'face', 'face_case', 'face_template', 'face_batch_item',
  'leave_apply', 'leave_span', 'leave_task', 'attend_event', 'attend_result', 'attend_correction', 'attend_notice',
  'exam_candidate', 'exam_seat', 'exam_score', 'exam_score_log', 'star_record', 'elective_seat', 'elective_student', 'elective_event', 'lesson', 'lesson_day', 'teaching',
  'message', 'message_person', 'message_delivery', 'message_receipt', 'publishing_recipient', 'publishing_submission', 'publishing_resource', 'publishing_delivery', 'publishing_content',
  'device', 'device_command', 'device_link_event', 'position_event', 'ai_warning', 'alarm_event', 'subject_grant', 'subject_credential', 'occupancy',
  'job', 'import_row', 'file_object', 'change_order', 'change_item', 'user_delete_detail', 'register_entry', 'sms_recharge', 'freshmen_apply', 'alipay_whitelist',
])

const step = 7_000_000_000_000n
const numbers = new Set(['bigint', 'integer', 'smallint'])

/**
 * Copies the rows of a school until each growing table that has some holds so many. A copy keeps its ties: what refers to a growing table refers
 * to the copy of the same number, what refers to another one to the row itself.
 * @param admin_url a superuser's: keys and checks of the copies are not looked at
 * @returns the tables and months of tables that hold at least half as many
 */
export async function growTables(admin_url: string, tables: readonly CatalogueTable[], school_id: number, wanted: number): Promise<Set<string>> {
  const client = new pg.Client({ connectionString: admin_url })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await dropChecks(client)
    for (const table of tables.filter(({ name }) => growing_tables.has(name))) {
      const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${table.name} where school_id = ${school_id}`)
      const count = rows[0]?.count ?? 0
      if (count === 0) continue
      await client.query(copyOf(table, school_id, Math.ceil(wanted / count)))
    }
    await client.query('vacuum analyze')
    const { rows } = await client.query<{ name: string }>(`select relname as name from pg_class where relkind = 'r' and reltuples >= ${wanted / 2}`)
    return new Set(rows.map(({ name }) => name))
  } finally {
    await client.end()
  }
}

/** Copies may break a rule that a row has to keep: no list depends on it. */
async function dropChecks(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ text: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as text from pg_constraint
    where contype in ('c', 'x') and conrelid <> 0 and coninhcount = 0 and connamespace = 'public'::regnamespace`)
  for (const { text } of rows) await client.query(text)
}

function copyOf(table: CatalogueTable, school_id: number, copies: number): string {
  const columns = table.columns.filter(({ generated }) => !generated)
  const keys = [table.primary_key, ...table.unique.map(one => one.columns)].filter(key => key.length > 0)
  const shifted = new Set(columns.filter(column => isShifted(table, column)).map(({ name }) => name))
  for (const key of keys) if (!key.some(name => shifted.has(name))) shifted.add(spareOf(table, key))
  const values = columns.map(column => (shifted.has(column.name) ? shift(column) : quoted(column.name)))
  return `insert into ${table.name} (${columns.map(({ name }) => quoted(name)).join()}) overriding system value
    select ${values.join()} from ${table.name}, generate_series(1, ${copies}) k where school_id = ${school_id}`
}

function isShifted(table: CatalogueTable, { name, type }: CatalogueColumn): boolean {
  if (name === 'school_id' || !numbers.has(type)) return false
  const key = table.foreign_keys.find(({ columns }) => columns.includes(name))
  if (key) return growing_tables.has(key.table)
  return name === 'user_id' || (type === 'bigint' && table.primary_key.at(-1) === name)
}

/** A column of a key that can tell copies apart. */
function spareOf(table: CatalogueTable, key: readonly string[]): string {
  const tied = new Set(table.foreign_keys.flatMap(({ columns }) => columns))
  const found = table.columns.filter(({ name }) => name !== 'school_id' && key.includes(name)).toSorted((a, b) => Number(tied.has(a.name)) - Number(tied.has(b.name)))
  return found[0]?.name ?? ''
}

const quoted = (name: string) => `"${name}"`

function shift({ name: plain, type }: CatalogueColumn): string {
  const name = quoted(plain)
  if (type === 'bigint') return `${name} + k * ${step}`
  if (numbers.has(type)) return `${name} + k`
  if (type === 'uuid') return 'gen_random_uuid()'
  if (type === 'date') return `${name} - k`
  if (type.startsWith('timestamp')) return `${name} - k * interval '1 second'`
  if (type === 'bytea') return `${name} || int4send(k)`
  const [length] = /(?<=^character.*\()\d+/.exec(type) ?? []
  return length === undefined ? `${name} || '~' || k` : `left(k || '~' || ${name}, ${length})`
}
