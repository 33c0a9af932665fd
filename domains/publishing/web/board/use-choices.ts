import { deptApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { placeApi } from '@campus/places/contract'
import type { PlaceNode } from '@campus/places/contract'
import { full_zone, playRuleApi, templateApi, ticker_zone, usual_zones } from '@campus/publishing/contract'
import { useCan } from '@kit/web'
import { useCall } from '@kit/web/part'

export type Choice = { value: string; title: string; children: Choice[] }
const ofPlace = (node: PlaceNode): Choice => ({
  value: node.place_id,
  title: node.place_name,
  children: (node.children ?? []).map(ofPlace),
})
const ofDept = (node: DeptTreeNode): Choice => ({ value: node.id, title: node.label, children: node.children.map(ofDept) })

/** Places and classes that contents may go to. */
export function useTargets(): { places: Choice[]; depts: Choice[] } {
  const places = useCall(placeApi.tree, { lazy: '0' }, { enabled: useCan(placeApi.tree) })
  const depts = useCall(deptApi.tree, { tree: 'student' }, { enabled: useCan(deptApi.tree) })
  return { places: (places.data?.list ?? []).map(ofPlace), depts: (depts.data?.list ?? []).map(ofDept) }
}

/** Zones that a content may be shown in: of all templates, and those that lie over every one. */
export function useZones(): { value: string; label: string }[] {
  const templates = useCall(templateApi.list, { page_size: 300 }, { enabled: useCan(templateApi.list) })
  const all = [...usual_zones[1], ...(templates.data?.list ?? []).flatMap(template => template.zones)]
  const named = new Map([[full_zone, '全屏'], [ticker_zone, '滚动字幕'], ...all.map((zone): [string, string] => [zone.zone, zone.title])])
  return [...named].map(([value, label]) => ({ value, label }))
}

/** Rules that are in force, for a choice. */
export function useRules(): { value: string; label: string }[] {
  const rules = useCall(playRuleApi.list, { page_size: 300 }, { enabled: useCan(playRuleApi.list) })
  return (rules.data?.list ?? []).filter(rule => rule.enabled).map(rule => ({ value: rule.id, label: rule.name }))
}
