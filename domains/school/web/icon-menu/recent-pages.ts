import { preferenceApi } from '@campus/school/contract'
import { call } from '@kit/web'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { withNewest } from './recent-list.ts'

/** Who leaves a page sooner was only passing through. */
const LOOKED_MS = 2000
/** A page among the newest few only changes its place: that is not worth a write, and its line in the log, at every step. */
const near = 4

const recent = queryOptions({
  queryKey: [preferenceApi.read.call, 'recent_apps'],
  queryFn: async () => pathsOf((await call(preferenceApi.read, { pref_key: 'recent_apps' }, { quiet: true })).value),
  staleTime: Infinity,
})

/** Paths of the pages opened last, the newest first; empty until they are known, and where they could not be read. */
export function useRecentPaths(): readonly string[] {
  return useQuery(recent).data ?? none
}

/** Keeps the page that is open among those opened last (chapter 10 §1 user_pref). Undefined is a page nobody comes back to. */
export function useNoteOpened(path: string | undefined): void {
  const client = useQueryClient()
  useEffect(() => {
    if (path === undefined) return
    const timer = window.setTimeout(() => void noteOpened(client, path).catch(() => undefined), LOOKED_MS)
    return () => window.clearTimeout(timer)
  }, [client, path])
}

const none: readonly string[] = []

async function noteOpened(client: QueryClient, path: string): Promise<void> {
  const before = await client.fetchQuery(recent)
  const after = withNewest(before, path)
  client.setQueryData(recent.queryKey, after)
  if (!before.slice(0, near).includes(path)) await call(preferenceApi.save, { pref_key: 'recent_apps', value: after }, { quiet: true })
}

function pathsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(path => typeof path === 'string') : []
}
