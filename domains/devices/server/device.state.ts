import { sql } from 'kysely'

/** What a device `d` of a school is doing (chapter 30 §1.2): stands in one place of the program. */
export const deviceState = (school_id: number) => sql<string | null>`case d.lifecycle when 'retired' then null when 'disabled' then '3' when 'pending' then '5'
  else case when exists (select from firmware_task_device f where f.school_id = ${school_id} and f.device_id = d.device_id and f.state in ('INITIATED', 'DOWNLOADING', 'DOWNLOADED', 'VERIFIED', 'UPDATING')) then '4' when d.fault_code is not null then '2' when d.online then '1' else '0' end end`
