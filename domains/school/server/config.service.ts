import { convertPoint, mapSystem, schoolEvents } from '@campus/school/contract'
import type { configApi, ConfigEffect, ConfigKey, ConfigValues } from '@campus/school/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { configCheckPort } from './config.check.ts'
import type { SchoolCtx } from './db.ts'
import { findConfig, findSchool, saveConfig, saveHome } from './school.queries.ts'

type Config = NonNullable<Awaited<ReturnType<typeof findConfig>>>
type Values = Partial<ConfigValues>

/**
 * Changes what is said about a school (chapter 10 N1), or with `dry` only tells what it would do. A super user enters the school first: another
 * school's id answers like a missing one.
 * @throws Refusal 404, 409 when somebody else has changed it meanwhile, and whatever a registered check refuses
 */
export async function changeConfig(ctx: SchoolCtx, input: Input<typeof configApi.update>): Promise<Reply<typeof configApi.update>> {
  const before = input.id === ctx.school_id ? await findConfig(ctx.db, ctx.school_id) : undefined
  if (!before) throw fail(commonErrors.notFound)
  if (before.config_version !== input.config_version) throw fail(commonErrors.stale)
  const values = differing(before, input.values)
  const effects = await askChecks(ctx, values)
  const keys = Object.keys(values)
  if (input.dry === 1 || keys.length === 0) return { config: before, effects }
  const config = await saveConfig(ctx.db, { school_id: ctx.school_id, config_version: input.config_version, values, by: ctx.me.user_id, now: ctx.now })
  if (!config) throw fail(commonErrors.stale)
  if (values.gps_type !== undefined) await convertHome(ctx, before.gps_type, config.gps_type)
  ctx.note({ target_kind: 'school_config', target_id: String(ctx.school_id), before: only(before, keys), after: only(config, keys) })
  await publish(ctx, schoolEvents.configChanged, { keys, config_version: config.config_version })
  return { config, effects }
}

/** The school's own point stays where it is when it is written in another system of coordinates. */
async function convertHome(ctx: SchoolCtx, from: number, to: number): Promise<void> {
  const school = await findSchool(ctx.db, ctx.school_id)
  if (!school || school.home_lng === null || school.home_lat === null) return
  const { lng, lat } = convertPoint({ lng: Number(school.home_lng), lat: Number(school.home_lat) }, mapSystem(from), mapSystem(to))
  await saveHome(ctx.db, { school_id: ctx.school_id, home_lng: lng, home_lat: lat, by: ctx.me.user_id, now: ctx.now })
}

/** The values that are not so already. */
function differing(before: Config, values: Values): Values {
  const known: Record<string, unknown> = before
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => JSON.stringify(known[key]) !== JSON.stringify(value)))
}

async function askChecks(ctx: SchoolCtx, values: Values): Promise<ConfigEffect[]> {
  const effects: ConfigEffect[] = []
  for (const { key, check } of configCheckPort.all(ctx.app)) {
    const effect = isGiven(values, key) ? await check(ctx, values[key]) : null
    if (effect) effects.push({ key, ...effect })
  }
  return effects
}

function isGiven(values: Values, key: ConfigKey): boolean {
  return values[key] !== undefined
}

function only(config: Config, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([key]) => keys.includes(key)))
}
