import type { ContentTarget } from '@campus/publishing/contract'
import { publishingErrors, target_kind } from '@campus/publishing/contract'
import { isInPlaces, placeScope } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { PublishingCtx } from '../db.ts'
import type { BoardFact, PlacedTarget } from './compile.ts'
import { readBoardFacts } from './facts.ts'
import { meantBoards } from './plan.service.ts'

/** These boards, all of them in the caller's places. @throws Refusal 404 */
export async function requireBoards(ctx: PublishingCtx, device_ids: readonly string[]): Promise<BoardFact[]> {
  const scope = await placeScope(ctx)
  const boards = await readBoardFacts(ctx, device_ids)
  if (boards.length < new Set(device_ids).size || !boards.every(board => isMine(board, scope))) throw fail(commonErrors.notFound)
  return boards
}

function isMine({ place_path }: Pick<BoardFact, 'place_path'>, scope: PlaceScope): boolean {
  return scope === 'all' || (place_path !== null && isInPlaces(place_path, scope))
}

/** Targets with their paths. @throws Refusal 404 for a place or department that is not of this school */
async function placeTargets({ db, school_id }: PublishingCtx, targets: readonly ContentTarget[]): Promise<PlacedTarget[]> {
  const idsOf = (kinds: readonly number[]) =>
    targets.flatMap(({ target, target_id }) => (kinds.includes(target) && target_id !== null ? [target_id] : []))
  const { rows: places } = await sql<{
    id: string
    path: string
  }>`select place_id::text as id, node_path as path from place_live_v where school_id = ${school_id} and place_id = any(${idsOf([target_kind.place, target_kind.subtree])}::bigint[])`.execute(
    db,
  )
  const { rows: depts } = await sql<{
    id: string
    path: string
  }>`select id::text as id, node_path as path from dept_now where school_id = ${school_id} and id = any(${idsOf([target_kind.dept])}::bigint[])`.execute(
    db,
  )
  return targets.map(line => {
    if (line.target === target_kind.all) return { ...line, target_id: null, path: null }
    const path = (line.target === target_kind.dept ? depts : places).find(row => row.id === line.target_id)?.path
    if (path === undefined) throw fail(commonErrors.notFound)
    return { ...line, path }
  })
}

/** The boards that targets name, all of them in the caller's places. @throws Refusal 404, boardOutOfScope */
export async function targetBoards(ctx: PublishingCtx, targets: readonly ContentTarget[]): Promise<BoardFact[]> {
  const scope = await placeScope(ctx)
  const placed = await placeTargets(ctx, targets)
  const boards = meantBoards(await readBoardFacts(ctx, null), placed)
  // A whole school, a grade or a place with boards to come is for whoever sees all of it.
  const reaches_out = placed.some(
    line =>
      line.mode === 1 && (line.path === null || (line.target !== target_kind.dept && scope !== 'all' && !isInPlaces(line.path, scope))),
  )
  if (scope !== 'all' && (reaches_out || !boards.every(board => isMine(board, scope)))) throw fail(publishingErrors.boardOutOfScope)
  return boards
}
