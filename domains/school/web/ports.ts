import type { Endpoint } from '@kit/contract'
import type { ComponentType, ReactNode } from 'react'

/** A tab of 学校信息 that another domain contributes, with the call that it stands on, or the codes any of which opens it. */
export type SchoolTab = { key: string; label: string; call: Endpoint | readonly string[]; Tab: ComponentType }

/** A card beside 基本信息 that another domain contributes, with the codes any of which opens it. */
export type SchoolCard = { key: string; title: string; call: readonly string[]; Card: ComponentType<{ school_type: number }> }

/** What the screens of the school ask of the console, which knows accounts and sessions; filled at start. */
export type SchoolPorts = {
  /** turns this session into one of another school and reloads the app there; throws CallError */
  enter: (school_id: number, reason: string) => Promise<void>
  /** proof of the own password typed again, for one dangerous act; throws CallError */
  recheck: (password: string) => Promise<string>
  /** opens a sub-application in a tab of its own, within the click */
  openSubApp: (code: string) => Promise<void>
  /** an icon of the product by its name */
  icon: (name: string) => ReactNode
  /** the roles of the console, to preview the menu; null: the identity may not see them */
  roles: () => Promise<readonly { role_id: string; name: string }[] | null>
  /** what a role may do; throws CallError */
  roleCodes: (role_id: string) => Promise<readonly string[]>
  /** the menu was changed by this very person: the sidebar beside the page follows at once */
  menuChanged: () => Promise<void>
  /** template of an outside map's address that shows a point (`mapAddress` of the contract); null: none is set */
  mapAddress: string | null
  /** tabs of other domains, in their order between 字典 and 学校列表 */
  tabs: readonly SchoolTab[]
  /** cards of other domains, in their order under the pictures */
  cards: readonly SchoolCard[]
}

const unconnected = () => Promise.reject(new Error('the screens of the school are not connected'))
let ports: SchoolPorts = { enter: unconnected, recheck: unconnected, openSubApp: unconnected, icon: () => null, roles: unconnected, roleCodes: unconnected, menuChanged: unconnected, mapAddress: null, tabs: [], cards: [] }

/** Connects the screens of the school to the product; called once before anything renders. */
export function connectSchool(given: SchoolPorts): void {
  ports = given
}

/** The connected ports. */
export function schoolPorts(): SchoolPorts {
  return ports
}
