import { content_state, source, startOf, target_kind } from '@campus/publishing/contract'
import type { CountdownDraft, PlayRuleDraft, TemplateDraft } from '@campus/publishing/contract'
import { addDays } from '@campus/calendar/contract'
import { schoolDay } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { PublishingDb, Work } from '../db.ts'
import type { KeptFile } from './facts.ts'
import { compileBoards } from './plan.service.ts'

/** What the boards of a school are to show. `rule`, `template`: a name among the planned ones. Contents and countdowns go to all boards unless `dept_id` names a department. */
export type PlannedBoards = {
  created_by: string
  templates: readonly TemplateDraft[]
  rules: readonly PlayRuleDraft[]
  contents: readonly {
    title: string
    text?: string
    files?: readonly KeptFile[]
    zone: string
    rule?: string
    priority: number
    dept_id?: string
    is_draft?: boolean
  }[]
  countdowns: readonly Pick<CountdownDraft, 'title' | 'target_on' | 'count_mode' | 'style' | 'done_text'>[]
  /** boards that have a template of their own, and all that get a plan at once */
  in_template: { template: string; device_ids: readonly string[] }
  device_ids: readonly string[]
}
type Place = Omit<Work, 'db'> & { db: QueryExecutorProvider }

/** Writes templates, rules, contents and countdowns as if somebody had published them, and makes the plans. */
export async function createBoards({ db: handle, ...place }: Place, planned: PlannedBoards): Promise<void> {
  const work: Work = { ...place, db: asTables<PublishingDb>(handle) }
  const { school_id, now, db } = work
  const { created_by } = planned
  const made = { created_at: now, created_by }
  const templates = new Map<string, string>()
  for (const { name, orientation, state, zones } of planned.templates) {
    const { template_id } = await db
      .insertInto('publishing_template')
      .values({ school_id, name, orientation, state, layout: JSON.stringify(zones), updated_at: now, ...made })
      .returning('template_id')
      .executeTakeFirstOrThrow()
    templates.set(name, template_id)
  }
  const rules = new Map<string, string>()
  for (const { dayparts, ...rule } of planned.rules) {
    const { rule_id } = await db
      .insertInto('publishing_play_rule')
      .values({ school_id, ...rule, dayparts: JSON.stringify(dayparts), ...made })
      .returning('rule_id')
      .executeTakeFirstOrThrow()
    rules.set(rule.name, rule_id)
  }
  for (const content of planned.contents) await writeContent(work, content, { rule_id: rules.get(content.rule ?? '') ?? null, created_by })
  for (const countdown of planned.countdowns) await writeCountdown(work, countdown, created_by)
  const template_id = templates.get(planned.in_template.template)
  if (template_id !== undefined)
    for (const device_id of planned.in_template.device_ids)
      await db.insertInto('publishing_template_use').values({ school_id, device_id, template_id, valid_from: now, created_by }).execute()
  await compileBoards(work, planned.device_ids, '演示数据')
}

async function writeContent(
  { db, school_id, now }: Work,
  { title, text = '', files = [], zone, priority, dept_id, is_draft = false }: PlannedBoards['contents'][number],
  { rule_id, created_by }: { rule_id: string | null; created_by: string },
): Promise<void> {
  const { content_id } = await db
    .insertInto('publishing_content')
    .values({
      school_id,
      title,
      source_kind: files.length > 0 ? source.files : source.text,
      text,
      files: JSON.stringify(files),
      zone,
      rule_id,
      priority,
      weight: 1,
      valid_from: now,
      offline_ttl_hours: 168,
      state: is_draft ? content_state.draft : content_state.live,
      created_at: now,
      created_by,
      updated_at: now,
    })
    .returning('content_id')
    .executeTakeFirstOrThrow()
  const target = dept_id === undefined ? { target: target_kind.all, target_id: null } : { target: target_kind.dept, target_id: dept_id }
  await db
    .insertInto('publishing_content_target')
    .values({ school_id, content_id, line_no: 1, mode: 1, ...target })
    .execute()
}

async function writeCountdown(
  { db, school_id, now }: Work,
  { title, target_on, count_mode, style, done_text }: PlannedBoards['countdowns'][number],
  created_by: string,
): Promise<void> {
  const [show_from, show_until] = [schoolDay(now), addDays(target_on, 1)]
  const { content_id } = await db
    .insertInto('publishing_content')
    .values({
      school_id,
      title,
      source_kind: source.countdown,
      zone: 'countdown',
      priority: 5,
      weight: 1,
      valid_from: new Date(startOf(show_from)),
      valid_to: new Date(startOf(addDays(show_until, 1))),
      offline_ttl_hours: 720,
      state: content_state.live,
      created_at: now,
      created_by,
      updated_at: now,
    })
    .returning('content_id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('publishing_countdown')
    .values({ school_id, content_id, target_on, count_mode, show_from, show_until, done_text, style })
    .execute()
  await db.insertInto('publishing_content_target').values({ school_id, content_id, line_no: 1, mode: 1, target: target_kind.all }).execute()
}
