import { cardReadApi, minutes_shown, reads_shown } from '@campus/devices/contract'
import type { CardRead } from '@campus/devices/contract'
import { call } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

const minute_ms = 60_000

/** When each reading happened that was told, in milliseconds since 1970. */
type Times = ReadonlyMap<string, number>

/** What the monitor shows: the readings newest first, how many came in each minute, what waits while it is held. */
export type Monitor = { reads: readonly CardRead[]; per_minute: readonly number[]; held: number; is_held: boolean; hold(held: boolean): void; heard(reads: readonly CardRead[]): void; again(): void; error: unknown; is_ready: boolean }

/** The readings of a place: those of the day first, then each as it happens. While it is held nothing moves and new ones are counted. */
export function useCardReads(place_id: string | undefined): Monitor {
  const query = useQuery({ queryKey: [cardReadApi.recent.call, place_id ?? ''], queryFn: ({ signal }) => call(cardReadApi.recent, place_id === undefined ? {} : { place_id }, { signal, quiet: true }), placeholderData: keepPreviousData, staleTime: Number.POSITIVE_INFINITY })
  const [told, setTold] = useState<readonly CardRead[]>([])
  const [times, setTimes] = useState<Times>(new Map())
  const [held_at, setHeldAt] = useState<readonly CardRead[] | null>(null)
  const minute = useMinute()
  const all = merged(told, query.data?.list ?? [])
  const reads = held_at ?? all
  const waiting = held_at === null ? 0 : all.filter(one => !held_at.some(shown => shown.read_id === one.read_id)).length
  return {
    reads, held: waiting, is_held: held_at !== null, error: query.error, is_ready: query.data !== undefined,
    per_minute: countsOf(query.data?.per_minute ?? [], Math.floor(query.dataUpdatedAt / minute_ms), uncounted(times, query.data?.list ?? []), minute),
    hold: held => setHeldAt(held ? all : null),
    heard: rows => {
      setTold(before => merged(rows, before))
      setTimes(before => withTimes(before, rows, Date.now()))
    },
    again: () => void query.refetch(),
  }
}

/** Both together, each once, newest first, no more than the monitor keeps. */
export function merged(fresh: readonly CardRead[], before: readonly CardRead[]): CardRead[] {
  const known = new Map([...before, ...fresh].map(read => [read.read_id, read]))
  return [...known.values()].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at) || (a.read_id < b.read_id ? 1 : -1)).slice(0, reads_shown)
}

/** Those that were told besides, each once; what is too old for the curve is let go. */
export function withTimes(before: Times, rows: readonly CardRead[], now: number): Times {
  const all = [...before, ...rows.map((read): [string, number] => [read.read_id, Date.parse(read.at)])]
  return new Map(all.filter(([, at]) => at > now - minutes_shown * minute_ms))
}

/** When those happened that the server has not counted: they may have been told before the list was asked for again. */
export function uncounted(times: Times, listed: readonly CardRead[]): number[] {
  const counted = new Set(listed.map(read => read.read_id))
  const oldest = listed.length < reads_shown ? Number.NEGATIVE_INFINITY : Math.min(...listed.map(read => Date.parse(read.at)))
  return [...times].filter(([read_id, at]) => !counted.has(read_id) && at >= oldest).map(([, at]) => at)
}

/** What the server counted up to a minute, moved on to now, and what was told since. */
function countsOf(counted: readonly number[], counted_in: number, times: readonly number[], minute: number): number[] {
  const gone = Math.min(minutes_shown, Math.max(0, minute - counted_in))
  const moved = [...counted.slice(gone), ...Array.from({ length: gone }, () => 0)]
  for (const time of times) {
    const at = Math.min(minutes_shown - 1, minutes_shown - 1 - (minute - Math.floor(time / minute_ms)))
    if (at >= 0) moved[at] = (moved[at] ?? 0) + 1
  }
  return moved
}

/** The running minute; turns by itself. */
function useMinute(): number {
  const [minute, setMinute] = useState(() => Math.floor(Date.now() / minute_ms))
  useEffect(() => {
    const timer = setInterval(() => setMinute(Math.floor(Date.now() / minute_ms)), 5000)
    return () => clearInterval(timer)
  }, [])
  return minute
}
