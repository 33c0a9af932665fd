import type { SetupList, SetupStepView } from '@campus/school/contract'
import { commonErrors, fail } from '@kit/contract'
import { z } from 'zod'
import type { SchoolCtx } from './db.ts'
import { term } from './navigation/menu.ts'
import { findSchool } from './school.queries.ts'
import { setupStepPort } from './setup-step.ts'
import type { SetupStep } from './setup-step.ts'

/** Kept as a setting of the school: its default row of user 0, which nobody can write through `user_pref`. */
const of_school = { user_id: '0', pref_key: 'setup_list' } as const
const PutAway = z.object({ by: z.string(), at: z.string() }).nullable()

/** The steps that the identity may take, in order, each with what the data say of it; between them those whose page comes later. */
export async function readSetup(ctx: SchoolCtx): Promise<SetupList> {
  const school = await findSchool(ctx.db, ctx.school_id)
  const school_type = school?.school_type ?? 1
  const may_take = offered(ctx, school_type)
  if (may_take.length === 0) return { list: [], done: 0, total: 0, hidden: null }
  const list: SetupStepView[] = []
  for (const step of [...may_take, ...unbuilt(ctx, school_type)].toSorted((a, b) => a.order - b.order)) {
    const is_built = may_take.includes(step)
    list.push(await viewOf(ctx, step, { school_type, is_built, has_next: list.some(({ state }) => state === 'next') }))
  }
  const done = list.filter(({ state }) => state === 'done').length
  return { list, done, total: may_take.length, hidden: await readHidden(ctx) }
}

/**
 * Puts the list away for the whole school, or brings it back.
 * @throws Refusal 403 for an identity to which no step is offered
 */
export async function hideSetup(ctx: SchoolCtx, hidden: boolean): Promise<Record<string, never>> {
  const school = await findSchool(ctx.db, ctx.school_id)
  if (offered(ctx, school?.school_type ?? 1).length === 0) throw fail(commonErrors.forbidden)
  const value = hidden ? { by: ctx.me.user_name, at: ctx.now.toISOString() } : null
  await ctx.db
    .insertInto('user_pref')
    .values({ school_id: ctx.school_id, ...of_school, value: JSON.stringify(value), updated_at: ctx.now })
    .onConflict(on =>
      on.columns(['school_id', 'user_id', 'pref_key']).doUpdateSet(row => ({ value: row.ref('excluded.value'), updated_at: row.ref('excluded.updated_at') })),
    )
    .execute()
  ctx.note({ target_kind: 'setup_list', target_id: String(ctx.school_id), target_name: hidden ? '隐藏开始使用清单' : '显示开始使用清单' })
  return {}
}

function offered({ app, me }: SchoolCtx, school_type: number): SetupStep[] {
  return setupStepPort
    .all(app)
    .filter(({ path, need, school_types }) => {
      const fact = app.facts.find(known => known.path === path)
      const code = app.codes.has(need) ? need : fact?.need
      return fact !== undefined && school_types.some(type => type === school_type) && (code === undefined || me.codes.has(code))
    })
}

function unbuilt({ app }: SchoolCtx, school_type: number): SetupStep[] {
  return setupStepPort.all(app).filter(({ path, school_types }) => school_types.some(type => type === school_type) && !app.facts.some(known => known.path === path))
}

type Place = { school_type: number; is_built: boolean; has_next: boolean }

async function viewOf(ctx: SchoolCtx, step: SetupStep, { school_type, is_built, has_next }: Place): Promise<SetupStepView> {
  const { done, text } = await step.state(ctx.db, ctx.school_id)
  const word = (sentence: string) => term(sentence, school_type)
  const facts = { code: step.code, title: word(step.title), why: word(step.why), text: word(text) }
  if (!is_built) return { ...facts, path: null, state: 'unbuilt' }
  return { ...facts, path: step.path, state: done ? 'done' : has_next ? 'later' : 'next' }
}

async function readHidden(ctx: SchoolCtx): Promise<SetupList['hidden']> {
  const found = await ctx.db
    .selectFrom('user_pref')
    .select('value')
    .where('school_id', '=', ctx.school_id)
    .where('user_id', '=', of_school.user_id)
    .where('pref_key', '=', of_school.pref_key)
    .executeTakeFirst()
  return found === undefined ? null : PutAway.parse(found.value)
}
