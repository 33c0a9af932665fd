import type { Query } from './query.ts'

/** What is asked of the log: three filters over a span of days. */
export type LogQuestion = { school_id: number; begin: string; end: string; module: string; op_type: number; ok: boolean }

const columns =
  'log_id, happened_at, user_id, user_no, user_name, role_name, acted_for, client, ip, device_label, op_type, module_code, call, target_kind, target_id, target_name, ok, code, msg, reason, batch_no, job_no, duration_ms'
const found = 'from operation_log where school_id = $1 and happened_at >= $2 and happened_at < $3 and module_code = $4 and op_type = $5 and ok = $6'
const page = `select ${columns} ${found} order by happened_at desc, log_id desc limit 21`
const total = `select count(*)::int as n from (select 1 ${found} limit 10001) found`

/** The newest page and its bounded total written by hand: what they cost without a product around. */
export async function barePage(query: Query, { school_id, begin, end, module, op_type, ok }: LogQuestion): Promise<void> {
  const values = [school_id, begin, end, module, op_type, ok]
  await query(page, values)
  await query(total, values)
}

/** Fills the log of a school with rows spread evenly over the days before a moment, four modules, five kinds, one of fifty refused. */
export function fillLog({ school_id, rows, days, until }: { school_id: number; rows: number; days: number; until: string }): string {
  return `
    delete from audit_watch;
    insert into operation_log (school_id, happened_at, log_id, request_id, user_id, user_no, user_name, role_no, role_name, client, ip, device_label, op_type,
      module_code, call, target_kind, target_id, target_name, ok, code, msg, duration_ms, row_hash)
    select ${school_id}, timestamptz '${until}' - interval '1 second' * (n * ${days * 86_400}::bigint / ${rows}), gen_random_uuid(), gen_random_uuid(), n % 300, 'T' || n % 300, '教师' || n % 300, 1, '任课教师',
      'web', '10.0.' || n % 8 || '.' || n % 250, 'Chrome', (array[1, 3, 4, 7, 4])[1 + n % 5], (array['people', 'identity', 'jobs', 'school'])[1 + n % 4],
      (array['people.student.update', 'identity.login.check', 'jobs.import.apply', 'school.preference.save'])[1 + n % 4], 'people.student', (n % 4000)::text, '学生' || n % 4000,
      n % 50 <> 0, case when n % 50 = 0 then 403 else 600 end, '操作成功', (n % 400)::int, '\\x00'
    from generate_series(1, ${rows}) n`
}
