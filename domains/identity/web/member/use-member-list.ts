import { memberApi, memberChannel, roleApi } from '@campus/identity/contract'
import type { MemberRow } from '@campus/identity/contract'
import { useChannel, usePage, useResourceList } from '@kit/web'
import type { ResourceList } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { z } from 'zod'
import { memberFields } from './member.fields.tsx'
import type { MemberField } from './member.fields.tsx'

type Member = z.output<typeof MemberRow>
/** A member by his membership: whoever held the role twice stands twice in the list. */
export type MemberLine = Member & { key: string }

/** The members of a role, with filters and page in the address bar. */
export function useMemberList(role_id: string): ResourceList<MemberLine, MemberField> {
  const fixed = useMemo(() => ({ role_id }), [role_id])
  const list = useResourceList(memberApi.list, memberFields, { fixed })
  const online = useOnline(list.refresh)
  return { ...list, fields: { key: 'key', of: memberFields.of }, rows: list.rows.map(row => ({ ...seen(row, online), key: row.member?.role_no ?? row.user_id })) }
}

/** Who has signed in or out under which membership since the page was opened. */
function useOnline(refresh: () => Promise<unknown>): ReadonlyMap<string, boolean> {
  const [online, setOnline] = useState<ReadonlyMap<string, boolean>>(new Map())
  const { active } = usePage()
  const onGap = () => {
    setOnline(new Map())
    void refresh()
  }
  useChannel(memberChannel, rows => setOnline(known => new Map([...known, ...rows.map(row => [row.role_no, row.online] as const)])), { on: active, onGap })
  return online
}

function seen(row: Member, online: ReadonlyMap<string, boolean>): Member {
  const now = row.member && online.get(row.member.role_no)
  return row.member && now !== undefined && now !== null ? { ...row, member: { ...row.member, online: now } } : row
}

/** Reads members and the counts of the roles again after a change. */
export function useMembersChanged(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => {
    await Promise.all([memberApi.list, roleApi.list].map(({ call }) => client.invalidateQueries({ queryKey: [call] })))
  }, [client])
}
