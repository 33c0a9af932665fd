import { freshmenPlaceApi, placeFigures } from '@campus/people/contract'
import type { PlaceBoard, PlaceFigures } from '@campus/people/contract'
import { call, useSaving } from '@kit/web'
import type { Saving } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useFreshmenChanged } from './use-seasons.ts'

/** A placement on its way: where everybody sits now, the figures of it, and what has been moved by hand. */
export type Board = {
  query: UseQueryResult<PlaceBoard | null>
  saving: Saving
  placeOf: (id: string) => string | undefined
  figures: PlaceFigures | null
  moved: number
  move: (id: string, dept_id: string) => void
  undo: () => void
  run: (is_anew: boolean) => Promise<void>
  adopt: () => Promise<boolean>
}

/** The latest placement of a season, and what is changed of it before it is adopted. */
export function useBoard(season_id: string): Board {
  const client = useQueryClient()
  const saving = useSaving()
  const changed = useFreshmenChanged()
  const key = [freshmenPlaceApi.current.call, season_id]
  const query = useQuery({ queryKey: key, queryFn: async ({ signal }) => (await call(freshmenPlaceApi.current, { season_id }, { signal, quiet: true })).board })
  const [moves, setMoves] = useState<ReadonlyMap<string, string>>(new Map())
  const board = query.data
  const drawn = new Map(board?.places.map(({ id, dept_id }) => [id, dept_id]))
  const placeOf = (id: string) => moves.get(id) ?? drawn.get(id)
  const take = async (next: PlaceBoard) => {
    client.setQueryData(key, next)
    setMoves(new Map())
    await changed()
  }
  return {
    query, saving, placeOf, moved: moves.size,
    figures: board ? placeFigures(board.children, board.classes, placeOf) : null,
    move: (id, dept_id) => {
      const next = new Map(moves)
      if (drawn.get(id) === dept_id) next.delete(id)
      else next.set(id, dept_id)
      setMoves(next)
    },
    undo: () => setMoves(new Map()),
    run: async is_anew => void (await saving.run(async () => take(await call(freshmenPlaceApi.run, { season_id, is_anew }, { quiet: true })))),
    adopt: () => saving.run(async () => take(await call(freshmenPlaceApi.adopt, { run_id: board?.run_id ?? '', moved: [...moves].map(([id, dept_id]) => ({ id, dept_id })) }, { quiet: true })), '已采用，种子已公布'),
  }
}
