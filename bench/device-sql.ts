import type { Query } from './query.ts'

type Passes = { school_id: number; device_ids: readonly string[]; place_ids: readonly string[]; rows: number; until: string }
const [seconds_a_year, people, minutes] = [31_536_000, 4000, 30]

/** Passes spread evenly over the year before a moment, door by door; places belong to devices in their order. */
export function fillPasses({ school_id, device_ids, place_ids, rows, until }: Passes): string {
  const doors = device_ids.length
  const at = `(timestamptz '${until}' - interval '1 second' * (n * ${seconds_a_year}::bigint / ${rows}))`
  return `
    insert into pass_event (school_id, event_date, device_id, device_seq, device_time, received_at, event_time, time_state, body_hash, user_id, person_kind, verify_mode, pass_state, direction, place_id, code_masked)
    select ${school_id}, (${at} at time zone 'Asia/Shanghai')::date, (array[${device_ids.join()}]::bigint[])[1 + n % ${doors}], 'e:' || n, ${at}, ${at}, ${at}, 0, lpad(to_hex(n), 16, '0'), 500001 + n % ${people}, 1, 2, 1, 1, (array[${place_ids.join()}]::bigint[])[1 + n % ${doors}], '****0001'
    from generate_series(1, ${rows}) n`
}

/** People whom devices know, and on each of these devices three rows of each of them. */
export function fillRows({ school_id, device_ids, people: count }: { school_id: number; device_ids: readonly string[]; people: number }): string {
  return `
    insert into subject (school_id, user_id, person_kind, user_no, user_name, dept_name, live) select ${school_id}, 500000 + n, 1, 'N' || n, '学生' || n, '一年级1班', true from generate_series(1, ${count}) n on conflict do nothing;
    insert into sync_row (school_id, device_id, kind, row_key, user_id, want_op, want_hash, want_version, prio, state, next_at, sent_at, acked_at, proven_at)
    select ${school_id}, d.id, k.kind, k.sign || (500000 + n), 500000 + n, 'put', lpad(to_hex(n), 16, '0'), n, k.prio, case when n % 700 = 0 then 'refused' else 'proven' end, now(), now(), now(), now()
    from unnest(array[${device_ids.join()}]::bigint[]) d(id), generate_series(1, ${count}) n, (values ('person', '', 5), ('credential', 'c', 6), ('credential', 'f', 7)) k(kind, sign, prio)`
}

const columns = 'e.event_date, e.device_id, e.device_seq, e.event_time, e.place_id, e.direction, e.user_id, e.verify_mode, e.pass_state, e.code_masked, d.device_name, p.node_path_name, s.user_name, s.dept_name'
const latest = `select ${columns} from pass_event e join device d on d.school_id = e.school_id and d.device_id = e.device_id join place p on p.school_id = e.school_id and p.place_id = e.place_id
  left join subject s on s.school_id = e.school_id and s.user_id = e.user_id where e.school_id = $1 and e.place_id = $2 and e.event_time >= $3 order by e.event_time desc limit 60`
const curve = `select date_trunc('minute', event_time), count(*) from pass_event where school_id = $1 and place_id = $2 and event_time >= $3 group by 1`

/** The latest passes of a door and how many there were in the last minutes, written by hand. */
export async function barePasses(query: Query, { school_id, place_id, since }: { school_id: number; place_id: string; since: string }): Promise<void> {
  await query(latest, [school_id, place_id, since])
  await query(curve, [school_id, place_id, new Date(Date.parse(since) + 86_400_000 - minutes * 60_000).toISOString()])
}
