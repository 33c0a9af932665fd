import { runKept } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { CredentialBody, withoutClosed } from '@kit/terminal-protocol'
import type { ClosedPart, PermissionBody } from '@kit/terminal-protocol'
import { modelLimits } from '../model.limits.ts'
import { closedTimes } from '../rule/rule.plan.ts'
import type { Bounds, CredentialFact, GrantFact, SubjectFact } from './derive.ts'
import { GrantWindows, isOver, permissionOf } from './permission.ts'

/** A device whose rows are derived, and where it stands. */
export type Target = { school_id: number; device_id: string; driver: string; node_path: string | null; direction: number | null; /** since when it stands there */ placed_at: Date | null; bounds: Bounds; rows_per_command: number; /** when its door is closed by a rule that it does not know itself */ closed: readonly ClosedPart[] }

/** What a model takes where it does not say: as many people and as large pictures as come, no faces. */
const [no_limit, usual_rows] = [Number.MAX_SAFE_INTEGER, 100]
const both_ways = 3
/** What a terminal is given; faces only where it holds any. */
export const credential_kinds = ['card', 'id_card', 'password', 'qr', 'face'] as const

/** Devices as the planner sees them; those that hold nothing (retired, or hardware that does not connect) are left out. */
export async function readTargets(db: Db, school_id: number, device_ids: readonly string[], now: Date): Promise<Target[]> {
  const query = db
    .selectFrom('device as d')
    .innerJoin('device_model as m', 'm.model_code', 'd.model_code')
    .leftJoin('device_place as dp', join => join.onRef('dp.school_id', '=', 'd.school_id').onRef('dp.device_id', '=', 'd.device_id').on('dp.valid_from', '<=', now).on(eb => eb.or([eb('dp.valid_to', 'is', null), eb('dp.valid_to', '>', now)])))
    .leftJoin('place_live_v as p', join => join.onRef('p.school_id', '=', 'dp.school_id').onRef('p.place_id', '=', 'dp.place_id'))
    .select(['d.device_id', 'm.model_code', 'm.driver', 'm.limits', 'p.node_path', 'dp.direction', 'dp.valid_from'])
    .where('d.school_id', '=', school_id)
    .where(sql<boolean>`d.device_id = any(${[...device_ids]}::bigint[])`)
    .where('d.lifecycle', 'in', ['active', 'disabled'])
    .where('m.driver', 'in', ['jdev', 'vf105'])
  const { rows } = await runKept(db, 'devices.targets', query.compile())
  const targets: Target[] = []
  for (const row of rows) {
    const { rows_per_command = usual_rows, max_persons = no_limit, max_faces = 0, photo_max_bytes = no_limit, password_lengths = [] } = modelLimits(row)
    const { device_id, driver } = row
    targets.push({ school_id, device_id, driver, node_path: row.node_path, direction: row.direction, placed_at: row.valid_from, rows_per_command, bounds: { credential_kinds, max_persons, max_faces, photo_max_bytes, password_lengths }, closed: driver === 'vf105' ? await closedTimes(db, { school_id, device_id }) : [] })
  }
  return targets
}

/** One of them; undefined when it holds nothing. */
export async function readTarget(db: Db, school_id: number, device_id: string, now: Date): Promise<Target | undefined> {
  const [target] = await readTargets(db, school_id, [device_id], now)
  return target
}

const Right = z.object({ windows_hash: z.string(), enforcement: z.enum(['local', 'online']) })
type Right = z.output<typeof Right>
const Grant = Right.extend({ user_id: z.string(), place_id: z.string(), device_id: z.string().nullable(), direction: z.number() })
type Grant = z.output<typeof Grant>

/** What is granted at devices, each by itself; to some people alone when they are named. Devices that stand together have the same list, the very same one. */
export async function readGrantsAt(db: Db, targets: readonly Target[], now: Date, users: readonly string[] | null): Promise<ReadonlyMap<string, GrantFact[]>> {
  const [first] = targets
  const places = [...new Set(targets.flatMap(above))]
  if (!first || places.length === 0) return new Map()
  const who = users === null ? sql`` : sql` and g.user_id = any(${[...users]}::bigint[])`
  const { rows } = await runKept(db, users === null ? 'devices.grants_at' : 'devices.grants_at_of', sql`
    select g.user_id::text as user_id, g.place_id::text as place_id, g.device_id::text as device_id, g.direction, g.windows_hash, g.enforcement from subject_grant g
    where g.school_id = ${first.school_id} and g.place_id = any(${places}::bigint[]) and g.expires_at > ${now}${who}`.compile(db))
  const grants = z.array(Grant).parse(rows)
  const narrowed = new Set(grants.flatMap(grant => grant.device_id ?? []))
  const known = new Map<string, GrantFact[]>()
  const found = new Map<string, GrantFact[]>()
  for (const target of targets) {
    const name = JSON.stringify([target.driver, target.node_path, target.direction, target.closed, narrowed.has(target.device_id) ? target.device_id : null])
    const facts = known.get(name) ?? (await factsAt(db, target, grants, now))
    known.set(name, facts)
    found.set(target.device_id, facts)
  }
  return found
}

async function factsAt(db: Db, target: Target, grants: readonly Grant[], now: Date): Promise<GrantFact[]> {
  const own = grants.filter(countsAt(target))
  const permissions = await permissionsOf(db, target, own, now)
  return own.map(grant => ({ user_id: grant.user_id, permissions: permissions.get(nameOf(grant)) ?? [] }))
}

/** What is granted at one device. */
export async function readGrants(db: Db, target: Target, now: Date, users: readonly string[] | null): Promise<GrantFact[]> {
  return (await readGrantsAt(db, [target], now, users)).get(target.device_id) ?? []
}

/** Whether a grant lets somebody pass a device: at its place or above it, by the way it stands for, and not at another one alone. */
function countsAt(target: Target): (grant: Grant) => boolean {
  const places = new Set(above(target))
  const { device_id, direction } = target
  return grant => places.has(grant.place_id) && (grant.device_id === null || grant.device_id === device_id) && (grant.direction === both_ways || direction === both_ways || grant.direction === direction)
}

/** The permissions that anybody has at a device. */
export async function readPermissions(db: Db, target: Target, now: Date): Promise<PermissionBody[]> {
  const { rows } = await sql`select windows_hash, enforcement from subject_grant where school_id = ${target.school_id} and place_id = any(${above(target)}::bigint[]) and expires_at > ${now} group by windows_hash, enforcement`.execute(db)
  return [...(await permissionsOf(db, target, z.array(Right).parse(rows), now)).values()].flat()
}

const Windows = Right.extend({ windows: GrantWindows })

/** Permissions by school, times and way: what has the same hash is the same for ever, so it is read once. Forgotten when there are too many. */
const known_permissions = new Map<string, PermissionBody[]>()
const most_known = 10_000

/** The permissions that still let somebody in, of some rights: the same times are read once, however many people have them. */
async function permissionsOf(db: Db, target: Target, rights: readonly Right[], now: Date): Promise<Map<string, PermissionBody[]>> {
  const wanted = [...new Map(rights.map(({ windows_hash, enforcement }) => [nameOf({ windows_hash, enforcement }), { windows_hash, enforcement }])).values()]
  const named = (right: Right) => `${target.school_id} ${nameOf(right)}`
  await learn(db, target, wanted.filter(right => !known_permissions.has(named(right))), named)
  return new Map(wanted.map(right => [nameOf(right), (known_permissions.get(named(right)) ?? []).map(permission => countedBy(target, permission)).flatMap(permission => (target.closed.length === 0 ? [permission] : withoutClosed(permission, target.closed))).filter(permission => !isOver(permission, now))]))
}

/** Hardware that does not count passes has the times alone: who gives a right for one pass takes it back from every door after that pass (chapter 35 R14). */
function countedBy({ driver }: Target, permission: PermissionBody): PermissionBody {
  if (driver !== 'vf105' || permission.max_times === undefined || permission.online) return permission
  const { from, to, weekly } = permission
  return permissionOf({ from, to, ...(weekly ? { weekly } : {}) }, false)
}

async function learn(db: Db, target: Target, wanted: readonly Right[], named: (right: Right) => string): Promise<void> {
  if (wanted.length === 0) return
  if (known_permissions.size >= most_known) known_permissions.clear()
  const { rows } = await sql`
    select w.windows_hash, w.enforcement, g.windows from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) w(windows_hash text, enforcement text)
    cross join lateral (select windows from subject_grant where school_id = ${target.school_id} and place_id = any(${above(target)}::bigint[]) and windows_hash = w.windows_hash limit 1) g`.execute(db)
  for (const row of z.array(Windows).parse(rows)) known_permissions.set(named(row), row.windows.map(window => permissionOf(window, row.enforcement === 'online')))
}

function nameOf({ windows_hash, enforcement }: Right): string {
  return `${windows_hash} ${enforcement}`
}

/** The place of a device and those above it. */
function above({ node_path }: Target): string[] {
  return (node_path ?? '').split('/').filter(Boolean)
}

/** Living people who have something granted at a device. */
export async function readSubjects(db: Db, school_id: number, user_ids: readonly string[]): Promise<SubjectFact[]> {
  if (user_ids.length === 0) return []
  const query = db.selectFrom('subject').select(['user_id', 'person_kind', 'user_no', 'user_name', 'dept_name']).where('school_id', '=', school_id).where('live', '=', true).where(sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`)
  return (await runKept(db, 'devices.subjects', query.compile())).rows
}

const Kind = CredentialBody.shape.kind

/** What they are known by. */
export async function readCredentials(db: Db, school_id: number, user_ids: readonly string[]): Promise<CredentialFact[]> {
  if (user_ids.length === 0) return []
  const query = db
    .selectFrom('subject_credential as c')
    .leftJoin('device_photo as p', join => join.onRef('p.school_id', '=', 'c.school_id').onRef('p.sha256', '=', 'c.sha256'))
    .select(['c.credential_id', 'c.user_id', 'c.cred_kind', 'c.code_digest', 'c.sha256', 'c.usable', 'c.blocked_reason', 'c.valid_until', 'p.state', 'p.reason', 'p.made_sha256', 'p.bytes'])
    .where('c.school_id', '=', school_id)
    .where(sql<boolean>`c.user_id = any(${[...user_ids]}::bigint[])`)
  const { rows } = await runKept(db, 'devices.credentials', query.compile())
  return rows.map(({ code_digest, cred_kind, made_sha256, sha256, state, reason, ...row }) => ({ ...row, cred_kind: Kind.parse(cred_kind), digest: code_digest ?? '', sha256: made_sha256 ?? sha256, photo_fault: sha256 === null || state === 'ready' ? null : (reason ?? 'photo_waiting') }))
}
