import { CallError } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { EntryGroup } from './entry.ts'
import { findObjects, ownFinders } from './finders.ts'

const TYPING_MS = 250
const SLOW_MS = 3000
const least_signs = 2

/** The search for people, classes, places and devices under the typed text; nothing is asked for fewer than two signs. */
export type ObjectSearch = {
  allowed: boolean
  /** one more sign is needed */
  short: boolean
  groups: readonly EntryGroup[]
  searching: boolean
  slow: boolean
  failure: string | undefined
  again: () => void
}

/** Asks once the typing pauses; what was asked before is given up. */
export function useObjects(text: string): ObjectSearch {
  const allowed = ownFinders().length > 0
  const settled = useLater(text, TYPING_MS)
  const asks = allowed && [...text].length >= least_signs
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['palette-objects', settled],
    queryFn: ({ signal }) => findObjects(settled, signal),
    enabled: asks && settled === text,
    gcTime: 0,
  })
  const searching = asks && (settled !== text || isFetching)
  const waited = useLater(searching, SLOW_MS)
  return {
    allowed,
    short: allowed && text !== '' && !asks,
    groups: (asks && settled === text && data) || [],
    searching,
    slow: searching && waited,
    failure: asks && !searching && error ? sentenceOf(error) : undefined,
    again: () => void refetch(),
  }
}

function sentenceOf(error: Error): string {
  return error instanceof CallError && error.msg !== '' ? error.msg : '网络异常，请检查网络'
}

/** The value once it has stayed the same for a while. */
function useLater<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), ms)
    return () => window.clearTimeout(timer)
  }, [value, ms])
  return settled
}
