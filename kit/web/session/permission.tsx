import { needOf } from '@kit/contract'
import type { Endpoint } from '@kit/contract'
import { checkMarker } from '@kit/contract/checks'
import type { ReactNode } from 'react'
import { create } from 'zustand'
import { readStoredJson, store } from './storage.ts'

/** What a button may ask for: an endpoint's own need, one code, or any of several codes. */
export type Marker = Endpoint | string | readonly string[]

const usePermissions = create<{ codes: ReadonlySet<string> }>(() => ({ codes: storedCodes() }))

/** Replaces the permissions of the session and their copy `menu_perms` in the browser. */
export function setPermissions(perms: readonly { code: string }[]): void {
  store('menu_perms', perms)
  usePermissions.setState({ codes: new Set(perms.map((perm) => perm.code)) })
}

/** True when the session holds the code, or any of several (platform rule R11). Throws without a code. Outside of rendering; screens use `useCan`. */
export function can(marker: Marker | undefined): boolean {
  return holds(usePermissions.getState().codes, marker)
}

/** As `can`, and draws again when the permissions change. */
export function useCan(marker: Marker | undefined): boolean {
  return holds(usePermissions((state) => state.codes), marker)
}

/** As `useCan` for a list whose length is not known beforehand: answers the question itself. */
export function useMay(): (marker: Marker) => boolean {
  const held = usePermissions((state) => state.codes)
  return (marker) => holds(held, marker)
}

/** Draws its children only for holders of the code; otherwise they are not in the page (platform rule R11). Throws without a code. */
export function Can({ code, children, otherwise = null }: { code: Marker; children: ReactNode; otherwise?: ReactNode }): ReactNode {
  return useCan(code) ? children : otherwise
}

/** The rule itself: any of the marker's codes is held. An endpoint that every signed-in person may call is always held. */
export function holds(held: ReadonlySet<string>, marker: Marker | undefined): boolean {
  if (isEndpoint(marker)) {
    const need = needOf(marker)
    return need === undefined || held.has(need)
  }
  const wrong = checkMarker(marker)
  if (wrong !== null || marker === undefined) throw new Error(wrong ?? '')
  return typeof marker === 'string' ? held.has(marker) : marker.some((code) => held.has(code))
}

function isEndpoint(marker: Marker | undefined): marker is Endpoint {
  return typeof marker === 'object' && 'details' in marker
}

function storedCodes(): ReadonlySet<string> {
  const stored = readStoredJson('menu_perms')
  if (!Array.isArray(stored)) return new Set()
  return new Set(stored.flatMap((perm: unknown) => (typeof perm === 'object' && perm !== null && 'code' in perm ? [String(perm.code)] : [])))
}
