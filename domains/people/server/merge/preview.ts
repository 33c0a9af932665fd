import { createHash } from 'node:crypto'
import type { MergeField, MergeKind, MergePreview } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import { oneOf } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { compareFiles, readFiles } from './field.values.ts'
import type { FileRows } from './field.values.ts'
import { describePeople, requirePair } from './pair.ts'
import { rekeyPort } from './rekey-port.ts'
import type { RekeyConflict } from './rekey-port.ts'

/** What is known of two people before they become one. */
export type MergePlan = {
  kind: MergeKind
  can_swap: boolean
  files: { keep: FileRows; drop: FileRows }
  fields: MergeField[]
  conflicts: (RekeyConflict & { domain: string })[]
  moves: MergePreview['moves']
  plan_hash: string
}
type Asked = { keep: string; drop: string }

/** What merging the two would do; the same people in the same state have the same `plan_hash`. */
export async function planMerge(ctx: PeopleCtx, { keep, drop }: Asked): Promise<MergePlan> {
  const { db, app, school_id, now } = ctx
  const { kind, can_swap } = await requirePair(ctx, keep, drop)
  const files = await readFiles(db, school_id, [keep, drop])
  const [mine, theirs] = [files.get(keep), files.get(drop)]
  if (!mine || !theirs) throw fail(commonErrors.notFound)
  const pair = { db, app, school_id, now, keep_user_id: keep, drop_user_id: drop }
  const conflicts: MergePlan['conflicts'] = []
  const moves: MergePreview['moves'] = []
  for (const rekey of rekeyPort.all(app)) {
    const told = await rekey.preview(pair)
    conflicts.push(...told.conflicts.map(conflict => ({ ...conflict, domain: rekey.domain })))
    moves.push(...told.moves.map(move => ({ ...move, domain: rekey.domain, domain_title: rekey.title })))
  }
  const fields = await compareFiles(ctx, mine, theirs)
  const plan_hash = hashOf({ keep, drop, fields, conflicts, moves, versions: await versions(ctx, [keep, drop]) })
  return { kind, can_swap, files: { keep: mine, drop: theirs }, fields, conflicts, moves, plan_hash }
}

/** The plan as the page sees it. */
export async function previewMerge(ctx: PeopleCtx, asked: Asked): Promise<MergePreview> {
  const plan = await planMerge(ctx, asked)
  return shownPlan(ctx, asked, plan)
}

export async function shownPlan(ctx: PeopleCtx, { keep, drop }: Asked, { plan_hash, kind, can_swap, fields, conflicts, moves }: MergePlan): Promise<MergePreview> {
  const people = await describePeople(ctx, [keep, drop], schoolDay(ctx.now))
  const [mine, theirs] = [people.get(keep), people.get(drop)]
  if (!mine || !theirs) throw fail(commonErrors.notFound)
  return { plan_hash, kind, keep: mine, drop: theirs, can_swap, fields, conflicts, moves }
}

/** Versions of both files: an edit in between changes the hash even where the masked texts do not. */
async function versions({ db, school_id }: PeopleCtx, user_ids: readonly string[]): Promise<unknown> {
  const { rows } = await sql`select p.user_id, p.row_version from person p where p.school_id = ${school_id} and ${oneOf('p.user_id', user_ids)} order by p.user_id`.execute(db)
  return rows
}

function hashOf(facts: object): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
}
