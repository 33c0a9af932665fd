import { meChannel } from '@campus/identity/contract'
import type { MeRow } from '@campus/identity/contract'
import { jobApi } from '@campus/jobs/contract'
import { inboxApi } from '@campus/messages/contract'
import { sessionLost, stopRealtime, toast, useChannel } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { z } from 'zod'
import { loadSession, reloadNavigations } from '../session/load-session.ts'
import { useSessionStore } from '../session/session.ts'

type News = z.output<typeof MeRow>

/** All consoles of a school hear of a changed setting in one moment; they do not ask in the same. */
const SPREAD_MS = 2000
/** What the top bar says of delegations; by its name, so that people's contract is not loaded with every page. */
const acting_call = 'people.delegate.mine'
/** Ends of a session that this browser has brought about itself. */
const own_ends: readonly (string | undefined)[] = ['logout', 'switch']

/** Acts on what this person is told: his session, his rights, his school's settings, his messages and jobs. */
export function useOwnNews(): void {
  const client = useQueryClient()
  const hear = (rows: News[]) => {
    const last = new Map(rows.map((row) => [row.kind, row]))
    for (const row of last.values()) act(client, row)
  }
  const first = useRef(true)
  const onGap = () => {
    refresh(client, inboxApi.count.call)
    refresh(client, jobApi.list.call)
    // The first connection stands seconds after the page was loaded: only what must not be missed is asked for again.
    if (first.current) void followRights()
    else later(reloadSession)
    first.current = false
  }
  useChannel(meChannel, hear, { onGap })
}

function act(client: QueryClient, { kind, reason, unread }: News): void {
  switch (kind) {
    case 'session':
      stopRealtime()
      if (!own_ends.includes(reason)) sessionLost('登录已失效，请重新登录')
      return
    case 'rights':
      void followRights(true)
      refresh(client, acting_call)
      return
    case 'config':
      return later(reloadSession)
    case 'messages':
      if (unread === undefined) return later(() => refresh(client, inboxApi.count.call))
      client.setQueryData([inboxApi.count.call], { unread })
      refresh(client, inboxApi.list.call)
      return
    case 'jobs':
      refresh(client, jobApi.list.call)
  }
}

/** Menu and buttons follow the rights; he is told, when he has been told to look or something is otherwise than before. */
async function followRights(told = false): Promise<void> {
  const changed = await reloadNavigations().catch(() => false)
  if (changed || told) toast.info('您的权限已更新')
}

function refresh(client: QueryClient, name: string): void {
  void client.invalidateQueries({ queryKey: [name] })
}

function reloadSession(): void {
  void loadSession().then((session) => useSessionStore.setState({ session }), () => undefined)
}

function later(act_then: () => void): void {
  window.setTimeout(act_then, Math.random() * SPREAD_MS)
}
